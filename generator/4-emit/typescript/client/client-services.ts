import type { Method, Service } from "../../../ir/contract.js";
import { buildFunction, buildInterface, type Member } from "../text/build.js";
import { clientMethodDocs, serviceTitle } from "../calls/call-docs.js";
import {
  inboundServices,
  memberOf,
  outboundServices,
  type HostScope,
} from "../calls/call-scope.js";
import { kindOfCall } from "../calls/call-kind.js";
import { callTypes } from "./client-methods.js";
import { docLines } from "../text/docs.js";
import type { Doc } from "../text/format.js";
import {
  callWithObject,
  entryOf,
  genericOf,
  linesObjectOf,
} from "../text/shapes.js";
import type { Declared } from "../text/declare.js";
import type { Parameter } from "../text/statements.js";

/** Interface and function of each service that the host answers. */
export function emitServiceClients(scope: HostScope): readonly Declared[] {
  const { imports, layout } = scope;
  return inboundServices(scope.host).flatMap((service) => {
    const { client, createClient } = layout.names.service(service);
    return emitCallers(scope, service, {
      docs: `Creates a client of ${serviceTitle(service)}.`,
      type: client,
      name: createClient,
      options: { name: "options", type: layout.names.host(scope.host).options },
      create: (methods) => createCalls(scope, methods),
      memberType: (method) =>
        kindOfCall(method) === "stream"
          ? imports.runtimeType("stream", "StreamCall")
          : imports.runtimeType("client", "Call"),
    });
  });
}

/** Interface and function of each service that the host calls. */
export function emitSenders(scope: HostScope): readonly Declared[] {
  const { imports, layout } = scope;
  return outboundServices(scope.host).flatMap((service) => {
    const { sender, createSender } = layout.names.service(service);
    return emitCallers(scope, service, {
      docs: `Creates a sender of ${serviceTitle(service)}, for the host that calls.`,
      type: sender,
      name: createSender,
      options: {
        name: "options",
        type: imports.runtimeType("client", "SenderOptions"),
        initial: "{}",
      },
      create: (methods) =>
        createTable(scope, imports.runtime("client", "createSender"), methods),
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
  readonly create: (methods: readonly Method[]) => Doc;
  /** Local name of the type of a method: `Call`, `StreamCall` or `Send`. */
  readonly memberType: (method: Method) => string;
}

/** What makes the members of a client, by what they are. */
const makers = [
  { kind: "call", file: "client", name: "createClient" },
  { kind: "stream", file: "stream", name: "createStreams" },
  { kind: "transfer", file: "transfer", name: "createTransfers" },
] as const;

/** Calls, streams and transfers of files, all in one object. */
function createCalls(scope: HostScope, methods: readonly Method[]): Doc {
  const made = makers.flatMap(({ kind, file, name }) => {
    const those = methods.filter((method) => kindOfCall(method) === kind);
    if (those.length === 0) return [];
    return [createTable(scope, scope.imports.runtime(file, name), those)];
  });
  const [only] = made;
  return made.length === 1 && only !== undefined
    ? only
    : linesObjectOf(made.map((table) => ["...", table]));
}

/** `create(options, { getOne: shopGetOne })`. */
function createTable(
  { layout }: HostScope,
  create: string,
  methods: readonly Method[],
): Doc {
  const entries = methods.map((method) => {
    const { constant, property } = layout.names.method(method);
    return entryOf(property, constant);
  });
  return callWithObject(create, ["options"], entries);
}

function emitCallers(
  scope: HostScope,
  service: Service,
  parts: CallerParts,
): readonly Declared[] {
  const { imports } = scope;
  const docs = docLines(service.docs, [`Methods of ${serviceTitle(service)}.`]);
  const members = service.methods.map((method) =>
    emitMember(scope, method, parts.memberType(method)),
  );
  const made = parts.create(service.methods);
  return [
    buildInterface(imports, docs, parts.type, members),
    buildFunction(
      imports,
      [parts.docs],
      parts.name,
      [parts.options],
      parts.type,
      [["return ", made, ";"]],
    ),
  ];
}

function emitMember(scope: HostScope, method: Method, type: string): Member {
  const { contract, names } = scope.layout;
  const { error, property } = names.method(method);
  const types = callTypes(scope, method).filter((name) => name !== "void");
  const docs = clientMethodDocs(contract, method, error);
  return memberOf(docs, [`readonly ${property}: `, genericOf(type, types)]);
}
