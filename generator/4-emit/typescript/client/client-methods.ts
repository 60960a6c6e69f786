import { errorHeaders, namesEvents } from "../../../http/wire-of.js";
import { fieldsAt } from "../../../http/slots.js";
import { valuesOf } from "../../../values/value.js";
import type { HostScope } from "../plan/file-scope.js";
import { callTypes } from "../plan/type-text.js";
import { functionOf, readerEntries } from "../plan/convert.js";
import { hasFiles, restMaker } from "../plan/methods.js";
import type { Service } from "../../../ir/contract.js";
import { errorsOf } from "../../../ir/errors-of.js";
import {
  fileEntries,
  fileSenders,
  fixedEntry,
  isDownload,
  isEventStream,
  membersEntry,
  queryEntries,
  requestBodyEntry,
  requestHeadersEntry,
  resumeEntry,
  wrappedOf,
} from "../plan/method-entries.js";
import { constantDocs } from "../plan/method-docs.js";
import type { ErrorDataPlan, FieldPlan, MethodPlan } from "../plan/plan.js";
import { methodsOf } from "../../../ir/methods-of.js";
import { sensitiveMethodsOf } from "../../../values/sensitive-methods.js";
import { buildConstant, buildLocal } from "../text/build.js";
import type { Structure } from "../text/structures.js";
import type { Doc } from "../text/format.js";
import { quoteString } from "../text/quote.js";
import {
  arrayOf,
  callOf,
  entryOf,
  genericOf,
  withKey,
  linesObjectOf,
  objectOf,
  pureCallOf,
  pureCallWithCall,
} from "../text/shapes.js";
import {
  headerEntry,
  makers,
  withMediaType,
  withResponseHeaders,
  withStatuses,
} from "./client-wrappers.js";
import { emitPaging } from "./client-paging.js";
import {
  credentialConstants,
  type ContractSender,
  emitContractSender,
  hasQueryKey,
} from "./client-credentials.js";

/** Emits a constant for each method. Bundlers can drop unused ones. */
export function emitMethodConstants(scope: HostScope): readonly Structure[] {
  const { host, imports, locals } = scope;
  const { errorBody, errorData, services } = host;
  const isShared =
    (errorData.length > 0 || errorBody !== null) &&
    methodsOf(services).some(({ method }) => method.errors === null);
  const shared = isShared ? locals.claim("readHostErrors") : null;
  const body = errorBody === null ? null : locals.claim("errorBody");
  const sender = emitContractSender(scope);
  const reading = { readHostErrors: shared, errorBody: body };
  const methodScope = { ...scope, ...reading, sender };
  const constants = services.flatMap(({ methods, names, service }) => {
    const { client, sender } = names;
    const owner = service.direction === "inbound" ? client : sender;
    return methods.flatMap((method) => {
      const docs = constantDocs(method, `${owner}.${method.names.property}`);
      const constant = emitMethod(methodScope, method, docs, service);
      return [constant, ...emitPaging(scope, method)];
    });
  });
  return [
    ...(body === null || errorBody === null
      ? []
      : [
          buildLocal(
            body,
            linesObjectOf(readerEntriesOf(scope, errorBody)),
            imports.runtimeType("codegen/read-errors", "BodyReader"),
          ),
        ]),
    ...(shared === null
      ? []
      : [
          buildLocal(
            shared,
            errorReader(
              methodScope,
              errorData,
              host.host.errors,
              methodsOf(services),
            ),
          ),
        ]),
    ...sender.statements,
    ...constants,
  ];
}

/** The context for building the constants of a host's methods. */
interface MethodScope extends HostScope {
  /**
   * Name of the constant that reads the errors of methods that list none, or
   * null if no such error carries data.
   */
  readonly readHostErrors: string | null;
  /** Name of the constant that reads the body of errors, or null. */
  readonly errorBody: string | null;
  readonly sender: ContractSender;
}

function emitMethod(
  scope: MethodScope,
  plan: MethodPlan,
  docs: readonly string[],
  service: Service,
): Structure {
  const { imports } = scope;
  const { constant } = plan.names;
  const { file, from, type, name } = makerOf(plan);
  const types = callTypes(scope, plan);
  const entries = methodEntries(scope, plan, service);
  const path =
    plan.method.route.kind === "webhook" ? null : quoteString(plan.path);
  const { route } = plan.method;
  const { verb: sent = "POST" } = plan.wire.address ?? {};
  const verb =
    route.kind === "rest" && name !== "get" ? [quoteString(sent)] : [];
  const callee = name === null ? null : imports.runtime(from, name);
  const isKeyed = route.kind === "rest" && hasQueryKey(plan);
  const described =
    callee === null
      ? linesObjectOf(withPath(path, entries))
      : pureCallOf(
          callee,
          [...verb, ...(path === null ? [] : [path])],
          entries,
        );
  const made = withMediaType(imports, plan, described);
  const keyed = isKeyed
    ? pureCallWithCall(imports.runtime(makers, "keyInQuery"), made)
    : made;
  return buildConstant(
    docs,
    constant,
    genericOf(imports.runtimeType(file, type), types),
    isDownload(plan) || isEventStream(plan)
      ? wrappedOf(imports, plan, keyed)
      : withResponseHeaders(scope, plan, withStatuses(imports, plan, keyed)),
  );
}

/** Returns the entry that fills a path, unless it stays as it is. */
function fillEntry({ imports }: MethodScope, plan: MethodPlan): readonly Doc[] {
  const fill = plan.path.includes("{")
    ? [imports.runtime("client", "fillParameters")]
    : [];
  if (!hasQueryKey(plan)) return fill.map((name) => entryOf("fill", name));
  return [["fill: ", pureCallOf(imports.runtime(makers, "fillKeys"), fill)]];
}

function withPath(
  path: string | null,
  entries: readonly Doc[],
): readonly Doc[] {
  return path === null ? entries : [entryOf("path", path), ...entries];
}

/** A function of the runtime that creates a method, and its type. */
interface MethodFactory {
  /** Entry point of the type. */
  readonly file: string;
  /** Entry point of the function. */
  readonly from: string;
  /** Name of the function, or null if the method is an object literal. */
  readonly name: string | null;
  readonly type: string;
}

function makerOf(plan: MethodPlan): MethodFactory {
  const { kind, method } = plan;
  switch (kind) {
    case "stream": {
      const type = { file: "stream", type: "StreamMethod" };
      return method.route.kind === "rest"
        ? { ...type, from: makers, name: addressMaker(plan) }
        : { ...type, from: "codegen/create-streams", name: "stream" };
    }
    case "transfer": {
      const type = { file: "transfer", type: "TransferMethod" };
      return method.route.kind === "rest"
        ? { ...type, from: makers, name: addressMaker(plan) }
        : { ...type, from: "codegen/create-transfers", name: "transfer" };
    }
    case "call": {
      const rest = addressMaker(plan);
      const names = { rpc: null, rest, webhook: "webhook" };
      const name = names[method.route.kind];
      return {
        file: "client",
        from: makers,
        name,
        type: "ClientMethod",
      };
    }
  }
}

function addressMaker({
  wire: { request, response },
}: MethodPlan): ReturnType<typeof restMaker> | "get" {
  return request.isPathRead && !response.isIgnored
    ? "get"
    : restMaker(request.body);
}

/** Returns what a client has to know of the wire besides the path. */
function wireEntries(
  scope: MethodScope,
  plan: MethodPlan,
  service: Service,
): readonly Doc[] {
  const { name, route } = plan.method;
  switch (route.kind) {
    case "rpc":
      return fillEntry(scope, plan);
    case "rest": {
      const { request, response } = plan.wire;
      const { whole } = response;
      return [
        ...queryEntries(request, fixedEntry),
        ...requestHeadersEntry(request),
        // An interceptor sends a file.
        ...(request.body.content.kind === "file"
          ? []
          : requestBodyEntry(request.body)),
        ...(whole === null || hasFiles(plan.response)
          ? []
          : [entryOf("body", quoteString(whole.jsonName))]),
        ...(response.isIgnored ? ["isEmpty: true"] : []),
      ];
    }
    case "webhook":
      // Receivers need to know which method of a service is called.
      return namesEvents(service) ? [entryOf("event", quoteString(name))] : [];
  }
}

/** Returns the facts that the runtime needs about a method besides its path. */
function methodEntries(
  scope: MethodScope,
  plan: MethodPlan,
  service: Service,
): readonly Doc[] {
  const { method } = plan;
  const { safety } = method;
  const credentials = credentialConstants(scope, plan);
  const entries = [...wireEntries(scope, plan, service)];
  if (credentials.length > 0) {
    entries.push(["credentials: ", arrayOf(credentials)]);
  }
  const hasKey = method.idempotencyKey !== "none";
  const repetition = hasKey ? "idempotent" : safety;
  if (repetition !== "none")
    entries.push(entryOf("safety", quoteString(repetition)));
  const isSensitive = sensitiveMethodsOf(scope.plan.contract).has(method);
  if (isSensitive) entries.push('hidden: "hidden"');
  const inUrl = (["path", "query"] as const).flatMap((place) =>
    fieldsAt(plan.wire.request, place),
  );
  const isSecret = hasQueryKey(plan) || (isSensitive && inUrl.length > 0);
  entries.push(...useEntry(scope, plan, isSecret));
  if (isSecret && plan.kind !== "call")
    entries.push(entryOf("via", scope.imports.runtime(makers, "withoutUrl")));
  entries.push(...resumeEntry(scope.imports, method.resume));
  entries.push(...fileEntries(plan), ...codecEntries(scope, plan));
  if (plan.errorData.length > 0 || scope.errorBody !== null) {
    const { host, readHostErrors } = scope;
    const isOpen = method.errors === null && readHostErrors !== null;
    const reader = isOpen
      ? readHostErrors
      : errorReader(scope, plan.errorData, errorsOf(host.host, method), [plan]);
    entries.push(["error: ", reader]);
  } else if (plan.kind === "stream" && plan.exact.responses) {
    // Its errors are in lines, whose integers can be beyond a number.
    const reader = scope.imports.runtime("codegen/read-errors", "readEnvelope");
    entries.push(entryOf("error", reader));
  }
  return entries;
}

/**
 * Returns the entry with the interceptors that a method has.
 *
 * Input: whether its URL can contain a credential or a sensitive field.
 */
function useEntry(
  { host, imports, sender }: MethodScope,
  plan: MethodPlan,
  isSecret: boolean,
): readonly Doc[] {
  const { errorData, method } = plan;
  const carried = [...errorData, host.errorBody];
  const hasHeaders = carried.some((data) =>
    data?.object.fields.some(({ field }) => field.header !== null),
  );
  const all = [
    ...sender.nameFor(method),
    ...(plan.kind === "call" && isSecret
      ? [imports.runtime(makers, "hideUrl")]
      : []),
    ...(method.idempotencyKey === "none"
      ? []
      : [imports.runtime("codegen/idempotency-key", "sendKey")]),
    ...fileSenders(imports, plan),
    ...(hasHeaders
      ? [imports.runtime("codegen/read-errors", "errorHeaders")]
      : []),
  ];
  return all.length === 0 ? [] : [["use: ", arrayOf(all)]];
}

/**
 * Prints the function that reads errors with their data.
 *
 * Input: the errors that have their own data, the names of all errors, and the
 * methods that can return them.
 */
function errorReader(
  { errorBody, host, imports, plan }: MethodScope,
  errors: readonly ErrorDataPlan[],
  names: readonly string[],
  methods: readonly MethodPlan[],
): Doc {
  const own = new Map(
    errors.map((each) => {
      const members = errorBody === null ? [] : each.members;
      const entries = readerEntriesOf({ imports, plan }, { ...each, members });
      return [each.error, objectOf(entries)];
    }),
  );
  const base = errorBody === null ? "readErrors" : "readErrorBodies";
  const isExact = [...errors, host.errorBody].some((each) => each?.isExact);
  const name = isExact ? `${base}Exactly` : base;
  const callee = imports.runtime("codegen/read-errors", name);
  if (errorBody === null) {
    const readers = [...own].map(([error, reader]) =>
      withKey(error, (key) => [`${key}: `, reader]),
    );
    return pureCallOf(callee, [], readers);
  }
  const listed = new Set(names);
  const rows = plan.contract.errors
    .filter((each) => listed.has(each.name))
    .map(({ anyStatus, code, name, status }) => {
      const reader = own.get(name);
      const key = anyStatus ? "0" : `${status}`;
      const cells = [`${code}`, key, ...(reader ? [reader] : [])];
      return withKey(name, (key) => [`${key}: `, arrayOf(cells)]);
    });
  const sensitive = sensitiveMethodsOf(plan.contract);
  const isSecret = methods.some(({ method }) => sensitive.has(method));
  return isSecret
    ? callOf(["/* @__PURE__ */ ", callee], [errorBody, objectOf(rows), "true"])
    : pureCallOf(callee, [errorBody], rows);
}

/** Returns the entry for the fields of an error's data that are in headers. */
function readHeadersEntry(
  { contract }: HostScope["plan"],
  fields: readonly FieldPlan[],
): readonly Doc[] {
  const values = valuesOf(contract);
  const entries = errorHeaders(fields.map(({ field }) => field)).map((slot) =>
    headerEntry(values, slot),
  );
  return entries.length === 0 ? [] : [["headers: ", objectOf(entries)]];
}

/** Prints how clients read the data of an error. */
function readerEntriesOf(
  { imports, plan }: Pick<HostScope, "imports" | "plan">,
  { members, object }: Pick<ErrorDataPlan, "members" | "object">,
): readonly Doc[] {
  const { name, unit } = object;
  const roles = members.filter(({ role }) => role !== null);
  return [
    entryOf("check", imports.generated(unit, "validators", `check${name}`)),
    ...(unit.needs.ofComposite(object).reads
      ? [entryOf("read", functionOf(imports, "read", object))]
      : []),
    ...readHeadersEntry(plan, object.fields),
    ...membersEntry(roles),
  ];
}

/** Returns the conversions that `JSON` itself does not perform. */
function codecEntries(scope: HostScope, plan: MethodPlan): readonly Doc[] {
  const { imports } = scope;
  const { exact, method, request, response, wire } = plan;
  const entries: Doc[] = [];
  const encode = request.encodes
    ? [functionOf(imports, "encode", request.object)]
    : [];
  // The walk of `stringifyMessage` takes fewer bytes, and sees what is sent.
  const isPrinted = method.route.kind !== "rest" && !request.encodes;
  if (request.loses || (request.canBeEmpty && !isPrinted)) {
    const sendable = imports.runtime("codegen/message-json", "sendable");
    entries.push(["encode: ", pureCallOf(sendable, encode)]);
  } else entries.push(...encode.map((name) => entryOf("encode", name)));
  entries.push(...decodeEntry(scope, plan));
  const { byStatus, wholes } = wire.response;
  if (exact.responses) {
    const isWhole = byStatus.length + wholes.length > 0;
    const parse = isWhole
      ? imports.runtime("json", "parseJson")
      : imports.runtime("codegen/message-json", "parseJsonObject");
    entries.push(entryOf("parse", parse));
  } else if (byStatus.length > 0 && response.message.fields.length > 0) {
    entries.push("parse: JSON.parse");
  }
  if (exact.writes || (request.canBeEmpty && !request.loses && isPrinted)) {
    const stringify = imports.runtime(
      "codegen/message-json",
      "stringifyMessage",
    );
    entries.push(entryOf("stringify", stringify));
  }
  return entries;
}

function decodeEntry(
  scope: HostScope,
  { reader, response: { object } }: MethodPlan,
): readonly Doc[] {
  const { imports } = scope;
  switch (reader) {
    case null:
      return [];
    case "drop-nulls":
      return [entryOf("decode", imports.runtime("codegen/codec", "dropNulls"))];
    case "shared":
      return [entryOf("decode", functionOf(imports, "read", object))];
    case "inline": {
      const callee = imports.runtime("codegen/codec", "readFields");
      const entries = readerEntries(scope, object, new Set());
      return [["decode: ", pureCallOf(callee, [], entries)]];
    }
  }
}
