import { neededCredentials } from "../../../ir/credentials-of.js";
import { errorsOf, errorsWithData } from "../../../ir/errors-of.js";
import { invariant } from "../../../ir/invariant.js";
import { pathParameters } from "../../../ir/path-template.js";
import type {
  Contract,
  ErrorMember,
  Host,
  Message,
} from "../../../ir/contract.js";
import { methodsOf } from "../../../ir/methods-of.js";
import { findReachable } from "../../../values/reachable-types.js";
import { remember } from "../../../ir/remember.js";
import { valuesOf } from "../../../values/value.js";
import type { EmitOptions } from "../../emitter/emitter.js";
import { camelCase } from "../../names/casing.js";
import { nameContract } from "../names/name-contract.js";
import { NamePool } from "../../names/name-pool.js";
import type { Names } from "../names/names.js";
import { objectMembers } from "../names/reserved.js";
import { compositesWithin, exactMethod, isExactObject } from "./exactness.js";
import { planMethod, type MethodDraft } from "./methods.js";
import { planPaging } from "./plan-paging.js";
import { findNeeded, joinNeeded, ValueNeeds } from "./needs.js";
import type {
  Composite,
  CredentialPlan,
  ErrorBodyPlan,
  ErrorDataPlan,
  ExactSides,
  HostPlan,
  ObjectPlan,
  Plan,
  ServicePlan,
  UnitNeeds,
  UnitPlan,
} from "./plan.js";
import { ValueFactory } from "./values.js";

/** Memoizes {@link planContract}. */
export const createPlan = remember((contract: Contract, options: EmitOptions) =>
  planContract(contract, options),
);

/**
 * Makes all decisions about the generated TypeScript.
 *
 * Input: a checked contract, options and, if the contract is only part of
 * another one, the names of methods that count as repeated.
 */
export function planContract(
  contract: Contract,
  options: EmitOptions,
  repeated: readonly string[] = [],
): Plan {
  const names = nameContract(contract, repeated);
  const { root, units } = createUnits(contract, names);
  const unitOf = (host: string | null): UnitShell => units.get(host) ?? root;
  const values = new ValueFactory(contract, options, ({ host, name }) => ({
    schemaName: name,
    name: names.type(name),
    unit: unitOf(host),
  }));
  for (const { host, name } of contract.types) {
    const type = values.types.get(name);
    if (type !== undefined) unitOf(host).types.push(type);
  }
  const credentials = contract.credentials.map((credential) => ({
    ...credential,
    names: names.credential(credential),
  }));
  const planning = { contract, names, options, values, credentials };
  const drafts = contract.hosts.map((host) =>
    draftHost(planning, host, unitOf(host.name)),
  );
  const needsIn = needsBySides(values.composites);
  root.needs = needsIn(anyOf(drafts.map(({ exact }) => exact)));
  for (const { exact, unit } of drafts) unit.needs = needsIn(exact);
  const keys = keysOf(contract.hosts);
  const hosts = drafts.map((draft) => planHost(planning, draft, keys));
  return {
    contract,
    options,
    names,
    units: [...new Set([root, ...units.values()])],
    root,
    hosts,
    types: values.types,
    values,
    credentials,
    reached: new Set(hosts.flatMap(({ reached }) => [...reached])),
    needed: joinNeeded(hosts.map(({ needed }) => needed)),
  };
}

/** The parts that exist before hosts are planned. */
interface Planning {
  readonly contract: Contract;
  readonly names: Names;
  readonly options: EmitOptions;
  readonly values: ValueFactory;
  readonly credentials: readonly CredentialPlan[];
}

/** A unit that is still being filled. */
interface UnitShell extends UnitPlan {
  host: HostPlan | null;
  needs: UnitNeeds;
  readonly types: UnitPlan["types"][number][];
  readonly messages: ObjectPlan[];
}

/** Creates the root, and the unit of each host by its name. */
function createUnits(
  { hosts }: Contract,
  names: Names,
): { root: UnitShell; units: ReadonlyMap<string | null, UnitShell> } {
  const unit = (folder: string, from: readonly Host[]): UnitShell => ({
    folder,
    host: null,
    types: [],
    messages: [],
    documents: from.map(({ document }) => document),
    needs: new ValueNeeds([], anyOf([])),
  });
  const root = unit("", hosts);
  const units = hosts.map((host): [string, UnitShell] => {
    const own = () => unit(names.host(host).folder, [host]);
    return [host.name, hosts.length === 1 ? root : own()];
  });
  return { root, units: new Map(units) };
}

/** A host with the objects of its messages. */
interface HostDraft {
  readonly host: Host;
  readonly errorData: readonly ErrorDataPlan[];
  readonly errorBody: ErrorBodyPlan | null;
  readonly unit: UnitShell;
  readonly methods: readonly MethodDraft[];
  readonly exact: ExactSides;
}

function draftHost(planning: Planning, host: Host, unit: UnitShell): HostDraft {
  const { contract, names, options, values } = planning;
  /** Returns the struct of a message, or an object for its arguments. */
  const objectOf = ({ fields, struct }: Message, name: string): ObjectPlan => {
    const type = struct === null ? null : values.types.get(struct);
    if (type?.kind === "struct") return type;
    const planned = fields.map((field) => values.field(field));
    const object = { name, unit, fields: planned };
    unit.messages.push(object);
    return object;
  };
  const all = planErrorData(planning, host);
  const errorBody = planErrorBody(planning, host);
  const bodies = errorBody === null ? [] : [errorBody];
  const methods = methodsOf(host.services).map((method): MethodDraft => {
    const named = names.method(method);
    const possible = errorsOf(host, method);
    const errorData = all.filter(({ error }) => possible.includes(error));
    const request = objectOf(method.request, named.request);
    const response = objectOf(method.response, named.response);
    const sent = [...errorData, ...bodies];
    const exact = exactMethod(method, request, response, sent, options);
    const draft = { method, names: named, request, response, exact, errorData };
    const constant = names.paging(method);
    return { ...draft, paging: planPaging(contract, options, constant, draft) };
  });
  const { requests, responses } = anyOf(methods.map((each) => each.exact));
  const exact = {
    requests,
    responses: responses || [...all, ...bodies].some((each) => each.isExact),
  };
  return { host, unit, methods, errorBody, errorData: all, exact };
}

function planErrorBody(
  planning: Planning,
  { errorBody }: Host,
): ErrorBodyPlan | null {
  if (errorBody === null) return null;
  const { mediaType, members, struct } = errorBody;
  return { mediaType, ...planData(planning, struct, members) };
}

/** Plans the data of errors that have more than the body of all errors. */
function planErrorData(
  planning: Planning,
  { errorBody, errors }: Host,
): readonly ErrorDataPlan[] {
  return errorsWithData(planning.contract, errors)
    .filter(({ data }) => data !== errorBody?.struct)
    .map(({ data, dataMembers, name }) => ({
      error: name,
      ...planData(planning, data, dataMembers),
    }));
}

function planData(
  { options, values }: Planning,
  name: string,
  members: readonly ErrorMember[],
): Omit<ErrorDataPlan, "error"> {
  const object = values.types.get(name);
  invariant(object?.kind === "struct", `${name} is a struct`);
  return { object, members, isExact: isExactObject(object, options) };
}

function planHost(
  { contract, credentials, names }: Planning,
  { errorBody, errorData, exact, host, methods, unit }: HostDraft,
  keys: ReadonlyMap<Host, string>,
): HostPlan {
  const shared = sharedResponses(methods);
  const carried = [...errorData, ...(errorBody === null ? [] : [errorBody])];
  const plans = new Map(
    methods.map((draft) => [
      draft.method,
      planMethod(draft, { unit, shared, credentials }),
    ]),
  );
  const services = host.services.map((service) => ({
    service,
    names: names.service(service),
    methods: service.methods.flatMap((method) => plans.get(method) ?? []),
  }));
  const handled = services.flatMap(handledPart);
  const plan: HostPlan = {
    host,
    names: names.host(host),
    unit,
    services,
    inbound: services.filter(isInbound),
    outbound: services.filter(
      ({ service }) => service.direction === "outbound",
    ),
    handled,
    served: handled.filter(isInbound),
    credentials: neededCredentials(methodsOf(host.services), { credentials }),
    key: keys.get(host) ?? "",
    parameters: [...new Set(pathParameters(host.basePath))],
    exact,
    errorBody,
    errorData,
    reached: findReachable(
      host.services,
      valuesOf(contract),
      carried.map(({ object }) => object.schemaName),
    ),
    needed: findNeeded(services, carried, unit),
  };
  unit.host = plan;
  return plan;
}

function isInbound({ service }: ServicePlan): boolean {
  return service.direction === "inbound";
}

/** Returns a service without methods that only clients have, if it has others. */
function handledPart(plan: ServicePlan): readonly ServicePlan[] {
  const methods = plan.methods.filter(({ method }) => !method.isClientOnly);
  if (methods.length === plan.methods.length) return [plan];
  if (methods.length === 0) return [];
  const served = methods.map(({ method }) => method);
  return [{ ...plan, service: { ...plan.service, methods: served }, methods }];
}

/** Finds composites that are used by several responses or inside one. */
function sharedResponses(
  methods: readonly MethodDraft[],
): ReadonlySet<Composite> {
  const answered = new Set<ObjectPlan>();
  const responses = methods.map(({ response }) => response);
  const shared = new Set<Composite>(compositesWithin(responses));
  for (const response of responses) {
    if (answered.has(response)) shared.add(response);
    answered.add(response);
  }
  return shared;
}

function anyOf(all: readonly ExactSides[]): ExactSides {
  return {
    requests: all.some(({ requests }) => requests),
    responses: all.some(({ responses }) => responses),
  };
}

/** Returns a function that creates needs. Units with equal sides share them. */
function needsBySides(
  composites: ValueFactory["composites"],
): (exact: ExactSides) => UnitNeeds {
  const made = new Map<string, UnitNeeds>();
  return (exact) => {
    const key = JSON.stringify(exact);
    const needs = made.get(key) ?? new ValueNeeds(composites, exact);
    made.set(key, needs);
    return needs;
  };
}

/** Returns the keys of hosts with inbound services, for the options. */
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
