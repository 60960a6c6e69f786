import type { Service } from "../../../ir/contract.js";
import { callTypes } from "../plan/type-text.js";
import type { HostScope } from "../plan/file-scope.js";
import { clientMethodDocs, serviceTitle } from "../plan/method-docs.js";
import type { MethodPlan } from "../plan/plan.js";
import {
  buildFunction,
  buildInterface,
  readonlyMember,
  type Member,
} from "../text/build.js";
import type { Parameter, Structure } from "../text/structures.js";
import { docLines } from "../text/docs.js";
import type { Doc } from "../text/format.js";
import {
  callWithObject,
  entryOf,
  genericOf,
  linesObjectOf,
} from "../text/shapes.js";

/** An interface, and the function that creates its implementation. */
interface ClientParts {
  readonly docs: readonly string[];
  /** Name of the interface. */
  readonly type: string;
  readonly members: readonly Member[];
  readonly createDocs: string;
  readonly name: string;
  readonly options: Parameter;
  readonly body: readonly Doc[];
}

/** Emits the two declarations of a client. */
export function emitClient(parts: ClientParts): readonly Structure[] {
  const { body, createDocs, docs, members, name, options, type } = parts;
  return [
    buildInterface(docs, type, members),
    buildFunction([createDocs], name, [options], type, body),
  ];
}

/** Emits the interface and function of each inbound service. */
export function emitServiceClients(scope: HostScope): readonly Structure[] {
  const { host, imports } = scope;
  const typeOf = ({ kind }: MethodPlan): string =>
    kind === "stream"
      ? imports.runtimeType("stream", "StreamCall")
      : imports.runtimeType("client", "Call");
  return host.inbound.flatMap(({ methods, names, service }) =>
    emitClient({
      docs: serviceDocs(service),
      type: names.client,
      members: methods.map((each) => emitMember(scope, each, typeOf(each))),
      createDocs: `Creates a client for ${serviceTitle(service)}.`,
      name: names.createClient,
      options: { name: "options", type: host.names.options },
      body: [["return ", createCalls(scope, methods), ";"]],
    }),
  );
}

/** Emits the interface and function of each outbound service. */
export function emitSenders(scope: HostScope): readonly Structure[] {
  const { host, imports } = scope;
  return host.outbound.flatMap(({ methods, names, service }) => {
    const type = imports.runtimeType("client", "SenderOptions");
    const send = imports.runtimeType("client", "Send");
    const create = imports.runtime("codegen/create-client", "createSender");
    return emitClient({
      docs: serviceDocs(service),
      type: names.sender,
      members: methods.map((each) => emitMember(scope, each, send)),
      createDocs: `Creates a sender, which sends the webhooks of ${serviceTitle(service)}.`,
      name: names.createSender,
      options: { name: "options", type, initializer: "{}" },
      body: [["return ", createTable(create, methods), ";"]],
    });
  });
}

function serviceDocs(service: Service): readonly string[] {
  return docLines(service.docs, [`Methods of ${serviceTitle(service)}.`]);
}

/** Functions of the runtime that create the methods of a client, by kind. */
const makers = [
  { kind: "call", file: "codegen/create-client", name: "createClient" },
  { kind: "stream", file: "codegen/create-streams", name: "createStreams" },
  {
    kind: "transfer",
    file: "codegen/create-transfers",
    name: "createTransfers",
  },
] as const;

/** Prints one object with calls, streams and file transfers. */
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

/** Prints `create(options, { getOne: shopGetOne })`. */
function createTable(create: string, methods: readonly MethodPlan[]): Doc {
  const entries = methods.map(({ names: { constant, property } }) =>
    entryOf(property, constant),
  );
  return callWithObject(create, ["options"], entries);
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
