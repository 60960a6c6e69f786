import type { Contract, Host, Message } from "../../../ir/contract.js";
import { remember } from "../../../ir/remember.js";
import type { EmitOptions } from "../../emitter/emitter.js";
import { camelCase } from "../names/casing.js";
import { NamePool } from "../names/name-pool.js";
import { objectMembers } from "../names/reserved.js";
import {
  exactMethod,
  exactTests,
  structsWithin,
  type ExactTests,
} from "./exactness.js";
import { methodsOf } from "../../../ir/methods-of.js";
import { createLayout, type Layout, type Unit } from "./layout.js";
import { planMethod, sharedResponses, type MethodDraft } from "./methods.js";
import { findNeeded } from "./needed.js";
import { ValueNeeds } from "./needs.js";
import type {
  CredentialPlan,
  ExactSides,
  HostPlan,
  NeededFunctions,
  ObjectPlan,
  Plan,
  UnitPlan,
} from "./plan.js";
import { markReachable } from "./reachable.js";
import {
  createObject,
  ValueFactory,
  type Changeable,
  type ObjectShell,
  type StructShell,
} from "./values.js";

/**
 * Decides all that generated TypeScript depends on.
 *
 * Input: a checked contract. Output: its plan, the same object for the same
 * input. Errors: none.
 */
export const createPlan = remember(
  (contract: Contract, options: EmitOptions): Plan =>
    planLayout(createLayout(contract, options)),
);

/** Decides the same for units and names that are settled. */
export function planLayout(layout: Layout): Plan {
  return new Planner(layout).plan();
}

/** A unit while what it holds is being made. */
interface UnitShell extends Changeable<UnitPlan> {
  readonly types: UnitPlan["types"][number][];
  readonly messages: ObjectShell[];
}

/** A host with the objects of its messages. */
interface HostDraft {
  readonly host: Host;
  readonly unit: UnitShell;
  readonly methods: readonly MethodDraft[];
  readonly exact: ExactSides;
}

class Planner {
  readonly #contract: Contract;
  readonly #options: EmitOptions;
  readonly #layout: Layout;
  readonly #units: ReadonlyMap<Unit, UnitShell>;
  readonly #values: ValueFactory;
  readonly #structs: readonly StructShell[];
  /** Structs and messages. */
  readonly #objects: ObjectShell[] = [];
  /** By what is read without rounding: most units are alike in this. */
  readonly #needs = new Map<string, ValueNeeds>();

  constructor(layout: Layout) {
    const { contract, names, options, units } = layout;
    this.#contract = contract;
    this.#options = options;
    this.#layout = layout;
    this.#units = new Map(
      units.map((unit): [Unit, UnitShell] => {
        const { documents, folder } = unit;
        return [
          unit,
          { folder, documents, host: null, types: [], messages: [] },
        ];
      }),
    );
    this.#values = new ValueFactory(contract, options, ({ name }) => ({
      schemaName: name,
      name: names.type(name),
      unit: this.#unit(this.#layout.unitOfType(name)),
    }));
    this.#structs = [...this.#values.types.values()].filter(
      (type) => type.kind === "struct",
    );
  }

  plan(): Plan {
    const { credentials, hosts } = this.#contract;
    const { names, root } = this.#layout;
    this.#planTypes();
    const tests = exactTests(this.#values.types.values(), this.#options);
    const drafts = hosts.map((host) => this.#draftHost(host, tests));
    const shared = this.#needsIn(drafts.map(({ exact }) => exact));
    const own = new Map<UnitPlan, ValueNeeds>(
      drafts.map(({ exact, unit }) => [unit, this.#needsIn([exact])]),
    );
    const needsOf = (unit: UnitPlan): ValueNeeds => own.get(unit) ?? shared;
    for (const object of this.#objects) {
      const needs = needsOf(object.unit);
      for (const field of object.fields) needs.plan(field);
    }
    const named = credentials.map((credential) => ({
      ...credential,
      names: names.credential(credential),
    }));
    const keys = keysOf(hosts);
    const planned = drafts.map((draft) => {
      const key = keys.get(draft.host) ?? "";
      return this.#planHost(draft, needsOf, key, named);
    });
    this.#markNeeded(planned);
    return {
      contract: this.#contract,
      options: this.#options,
      names,
      units: [...this.#units.values()],
      root: this.#unit(root),
      hosts: planned,
      types: this.#values.types,
      credentials: named,
    };
  }

  #planTypes(): void {
    const { types } = this.#values;
    for (const struct of this.#structs) this.#add(struct, struct.struct.fields);
    for (const unit of this.#layout.units) {
      for (const { name } of unit.types) {
        const type = types.get(name);
        if (type !== undefined) this.#unit(unit).types.push(type);
      }
    }
  }

  #draftHost(host: Host, tests: ExactTests): HostDraft {
    const unit = this.#unit(this.#layout.unitOfHost(host));
    const methods = methodsOf(host.services).map((method): MethodDraft => {
      const names = this.#layout.names.method(method);
      const request = this.#objectOf(unit, method.request, names.request);
      const response = this.#objectOf(unit, method.response, names.response);
      const exact = exactMethod(method, request, response, tests);
      return { method, names, request, response, exact };
    });
    const exact = {
      requests: methods.some(({ exact }) => exact.requests),
      responses: methods.some(({ exact }) => exact.responses),
    };
    return { host, unit, methods, exact };
  }

  /** The struct that a message is, or an object of its own for its arguments. */
  #objectOf(unit: UnitShell, message: Message, name: string): ObjectPlan {
    const type =
      message.struct === null ? null : this.#values.types.get(message.struct);
    if (type?.kind === "struct") return type;
    const object = createObject({ name, unit });
    this.#add(object, message.fields);
    unit.messages.push(object);
    return object;
  }

  #add(object: ObjectShell, fields: Message["fields"]): void {
    this.#objects.push(object);
    for (const field of fields) object.fields.push(this.#values.field(field));
  }

  #planHost(
    { exact, host, methods, unit }: HostDraft,
    needsOf: (unit: UnitPlan) => ValueNeeds,
    key: string,
    credentials: readonly CredentialPlan[],
  ): HostPlan {
    const { names } = this.#layout;
    const responses = methods.flatMap(({ response }) => response.fields);
    const held = structsWithin(responses);
    const shared = sharedResponses(methods, held);
    const needs = needsOf(unit);
    const plans = new Map(
      methods.map((draft) => [
        draft.method,
        planMethod(draft, { needs, shared, credentials }),
      ]),
    );
    const services = host.services.map((service) => ({
      service,
      names: names.service(service),
      methods: service.methods.flatMap((method) => plans.get(method) ?? []),
    }));
    const headers = new Set(
      methods.flatMap(({ method }) => method.credentials),
    );
    const plan: HostPlan = {
      host,
      names: names.host(host),
      unit,
      services,
      inbound: services.filter(
        ({ service }) => service.direction === "inbound",
      ),
      outbound: services.filter(
        ({ service }) => service.direction === "outbound",
      ),
      credentials: credentials.filter(({ header }) => headers.has(header)),
      key,
      parameters: parametersOf(host),
      exact,
      reached: markReachable(host, this.#values.types),
      needed: findNeeded(services, unit, needsOf),
    };
    unit.host = plan;
    return plan;
  }

  #markNeeded(hosts: readonly HostPlan[]): void {
    const setOf = (kind: keyof NeededFunctions): ReadonlySet<ObjectPlan> =>
      new Set(hosts.flatMap(({ needed }) => [...needed[kind]]));
    const decoder = setOf("decoder");
    const reader = setOf("reader");
    const encoder = setOf("encoder");
    const printer = setOf("printer");
    for (const object of this.#objects) {
      const { needed } = object;
      needed.decoder = decoder.has(object);
      needed.reader = reader.has(object);
      needed.encoder = encoder.has(object);
      needed.printer = printer.has(object);
    }
  }

  /** Needs of files in which everything of some hosts may turn up. */
  #needsIn(hosts: readonly ExactSides[]): ValueNeeds {
    const exact = {
      requests: hosts.some(({ requests }) => requests),
      responses: hosts.some(({ responses }) => responses),
    };
    const key = JSON.stringify(exact);
    const needs = this.#needs.get(key) ?? new ValueNeeds(this.#structs, exact);
    this.#needs.set(key, needs);
    return needs;
  }

  #unit(unit: Unit): UnitShell {
    const shell = this.#units.get(unit);
    if (shell === undefined) throw new Error(`no unit ${unit.folder}`);
    return shell;
  }
}

/** Keys of the hosts that answer, in the options of the client of all hosts. */
function keysOf(hosts: readonly Host[]): ReadonlyMap<Host, string> {
  const pool = new NamePool(objectMembers);
  const answering = hosts.filter(({ services }) =>
    services.some(({ direction }) => direction === "inbound"),
  );
  return new Map(
    answering.map((host) => {
      const key = camelCase(host.name) || "host";
      return [host, pool.claim(key, `${key}_`)];
    }),
  );
}

function parametersOf({ basePath }: Host): readonly string[] {
  const names = basePath.segments.flatMap((segment) =>
    segment.kind === "parameter" ? [segment.name] : [],
  );
  return [...new Set(names)];
}
