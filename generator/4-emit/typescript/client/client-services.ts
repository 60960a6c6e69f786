import { callTypes } from "../plan/call-types.js";
import type { HostScope } from "../plan/file-scope.js";
import { clientMethodDocs, serviceTitle } from "../plan/method-docs.js";
import type { MethodPlan, ServicePlan } from "../plan/plan.js";
import {
  buildFunction,
  buildInterface,
  readonlyMember,
  type Member,
} from "../text/build.js";
import type { Structure } from "../text/structures.js";
import { docLines } from "../text/docs.js";
import type { Doc } from "../text/format.js";
import {
  callWithObject,
  entryOf,
  genericOf,
  linesObjectOf,
} from "../text/shapes.js";
import type { Parameter } from "../text/structures.js";

/** Interface and function of each service that the host answers. */
export function emitServiceClients(scope: HostScope): readonly Structure[] {
  const { host, imports } = scope;
  return host.inbound.flatMap((plan) => {
    const { client, createClient } = plan.names;
    return emitCallers(scope, plan, {
      docs: `Creates a client of ${serviceTitle(plan.service)}.`,
      type: client,
      name: createClient,
      options: { name: "options", type: host.names.options },
      create: (methods) => createCalls(scope, methods),
      memberType: ({ kind }) =>
        kind === "stream"
          ? imports.runtimeType("stream", "StreamCall")
          : imports.runtimeType("client", "Call"),
    });
  });
}

/** Interface and function of each service that the host calls. */
export function emitSenders(scope: HostScope): readonly Structure[] {
  const { host, imports } = scope;
  return host.outbound.flatMap((plan) => {
    const { sender, createSender } = plan.names;
    return emitCallers(scope, plan, {
      docs: `Creates a sender of ${serviceTitle(plan.service)}, for the host that calls.`,
      type: sender,
      name: createSender,
      options: {
        name: "options",
        type: imports.runtimeType("client", "SenderOptions"),
        initializer: "{}",
      },
      create: (methods) =>
        createTable(imports.runtime("client", "createSender"), methods),
      memberType: () => imports.runtimeType("client", "Send"),
    });
  });
}

/** What differs between clients and senders. */
interface CallerParts {
  readonly docs: string;
  /** Name of the interface. */
  readonly type: string;
  /** Name of the function that makes one. */
  readonly name: string;
  /** Its parameter. */
  readonly options: Parameter;
  /** The expression that does it. */
  readonly create: (methods: readonly MethodPlan[]) => Doc;
  /** Local name of the type of a method: `Call`, `StreamCall` or `Send`. */
  readonly memberType: (method: MethodPlan) => string;
}

/** What makes the members of a client, by what they are. */
const makers = [
  { kind: "call", file: "client", name: "createClient" },
  { kind: "stream", file: "stream", name: "createStreams" },
  { kind: "transfer", file: "transfer", name: "createTransfers" },
] as const;

/** Calls, streams and transfers of files, all in one object. */
function createCalls(
  { imports }: HostScope,
  methods: readonly MethodPlan[],
): Doc {
  const made = makers.flatMap(({ kind, file, name }) => {
    const those = methods.filter((method) => method.kind === kind);
    if (those.length === 0) return [];
    return [createTable(imports.runtime(file, name), those)];
  });
  const [only] = made;
  return made.length === 1 && only !== undefined
    ? only
    : linesObjectOf(made.map((table) => ["...", table]));
}

/** `create(options, { getOne: shopGetOne })`. */
function createTable(create: string, methods: readonly MethodPlan[]): Doc {
  const entries = methods.map(({ names: { constant, property } }) =>
    entryOf(property, constant),
  );
  return callWithObject(create, ["options"], entries);
}

function emitCallers(
  scope: HostScope,
  { methods, service }: ServicePlan,
  parts: CallerParts,
): readonly Structure[] {
  const docs = docLines(service.docs, [`Methods of ${serviceTitle(service)}.`]);
  const members = methods.map((method) =>
    emitMember(scope, method, parts.memberType(method)),
  );
  const made = parts.create(methods);
  return [
    buildInterface(docs, parts.type, members),
    buildFunction([parts.docs], parts.name, [parts.options], parts.type, [
      ["return ", made, ";"],
    ]),
  ];
}

function emitMember(
  scope: HostScope,
  method: MethodPlan,
  type: string,
): Member {
  const { property } = method.names;
  const types = callTypes(scope, method).filter((name) => name !== "void");
  const docs = clientMethodDocs(method);
  return readonlyMember(docs, property, genericOf(type, types));
}
