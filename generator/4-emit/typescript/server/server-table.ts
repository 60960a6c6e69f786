import {
  credentialsOf,
  isBasic,
  neededCredentials,
} from "../../../ir/credentials-of.js";
import { methodsOf } from "../../../ir/methods-of.js";
import { byPlace, headerOf } from "../../../http/credentials.js";
import {
  fieldsAt,
  responseHeaders,
  skip,
  textFormOf,
} from "../../../http/slots.js";
import { errorHeaders } from "../../../http/wire-of.js";
import { valuesOf } from "../../../values/value.js";
import {
  membersEntry,
  namesEntry,
  queryEntries,
  mediaTypeEntry,
  readEntry,
  requestBodyEntry,
  requestHeadersEntry,
  headersEntry,
  statusesEntry,
} from "../plan/method-entries.js";
import { checkOf, functionOf, jsonOf } from "../plan/convert.js";
import { hasFiles } from "../plan/methods.js";
import { typeOf } from "../plan/type-text.js";
import type { HostScope } from "../plan/file-scope.js";
import type {
  CredentialPlan,
  ErrorDataPlan,
  FieldPlan,
  MethodPlan,
  ServicePlan,
} from "../plan/plan.js";
import type { PastContract } from "../../../values/history.js";
import type { JsonObject } from "../../emitter/json-value.js";
import { literalEntry } from "../text/shapes.js";
import { buildLocal } from "../text/build.js";
import type { Structure } from "../text/structures.js";
import { ifBreak, typeText, type Doc } from "../text/format.js";
import { quoteAccess, quoteProperty, quoteString } from "../text/quote.js";
import type { ServerScope } from "./server-handlers.js";
import {
  afterOperator,
  arrayOf,
  conditionalOf,
  entryOf,
  withKey,
  linesObjectOf,
  objectOf,
  pureCallOf,
} from "../text/shapes.js";

/** Emits a constant for each credential that the host's methods require. */
export function emitCredentialRules(scope: HostScope): readonly Structure[] {
  const methods = methodsOf(scope.host.handled).map(({ method }) => method);
  return neededCredentials(methods, scope.host).map((credential) => {
    const rule = linesObjectOf(ruleEntries(scope, credential));
    const { constant } = credential.names;
    return buildLocal(constant, [rule, typeText(" as const")]);
  });
}

function ruleEntries(
  scope: HostScope,
  credential: CredentialPlan,
): readonly Doc[] {
  const { error, key, names, parameter, scheme } = credential;
  const read =
    isBasic(credential) &&
    scope.imports.runtime("codegen/create-server", "readBasicCredential");
  return [
    entryOf("header", quoteString(headerOf(credential)?.name ?? key)),
    ...byPlace(credential, {
      header: [],
      query: [],
      cookie: [entryOf("cookie", quoteString(parameter))],
    }),
    entryOf("scheme", scheme === null ? "null" : quoteString(scheme)),
    ...(read === false ? [] : [entryOf("read", read)]),
    entryOf("error", errorRow(scope, error)),
    entryOf("verify", quoteString(names.verify)),
  ];
}

/**
 * Emits constants that say how to check and send the data and the bodies of the
 * host's errors, if any has data or they have their own body.
 */
export function emitErrorData(scope: ServerScope): readonly Structure[] {
  const { errorBody, errorData, host, imports } = scope;
  const constants: Structure[] = [];
  if (errorData !== null) {
    const hasMembers = host.errorData.some(({ members }) => members.length > 0);
    const type = hasMembers
      ? `Record<string, ${imports.runtimeType("server", "ErrorData")}>`
      : undefined;
    const rows = host.errorData.map((each) => [
      `${quoteProperty(each.error)}: `,
      objectOf(dataEntries(scope, each)),
    ]);
    constants.push(buildLocal(errorData, linesObjectOf(rows), type));
  }
  if (errorBody !== null && host.errorBody !== null) {
    const type = imports.runtimeType("server", "ErrorBody");
    const mediaType = quoteString(host.errorBody.mediaType);
    const entries = [
      entryOf("mediaType", mediaType),
      ...dataEntries(scope, host.errorBody),
    ];
    constants.push(buildLocal(errorBody, linesObjectOf(entries), type));
  }
  return constants;
}

function dataEntries(
  { imports, unit }: ServerScope,
  { members, object }: Pick<ErrorDataPlan, "members" | "object">,
): readonly Doc[] {
  const check = `check${object.name}`;
  return [
    entryOf("check", imports.generated(object.unit, "validators", check)),
    ...(unit.needs.ofComposite(object).encodes
      ? [entryOf("encode", functionOf(imports, "encode", object))]
      : []),
    entryOf("print", functionOf(imports, "print", object)),
    ...headersEntry(errorHeaders(object.fields.map(({ field }) => field))),
    ...membersEntry(members),
  ];
}

/** Emits the constant that knows the contracts of clients, if there is one. */
export function emitSkew(scope: ServerScope): readonly Structure[] {
  const { host, imports, plan, skew } = scope;
  const known = plan.options.skew?.get(host.host.name);
  if (skew === null || known === undefined) return [];
  const name = "codegen/know-contracts";
  const callee = imports.runtime(name, "knowContracts");
  const { header, past, settings, version } = known;
  return [
    buildLocal(
      skew,
      pureCallOf(
        callee,
        [],
        [
          literalEntry("header", header),
          literalEntry("version", version),
          literalEntry("past", past.map(toJson)),
          ...(settings
            ? [literalEntry("settings", changesToJson(settings))]
            : []),
        ],
      ),
    ),
  ];
}

function toJson({ gone, methods, ...contract }: PastContract): JsonObject {
  return {
    ...contract,
    methods: changesToJson(methods),
    gone: gone.map((address) => ({ ...address })),
  };
}

function changesToJson(methods: PastContract["methods"]): JsonObject {
  return Object.fromEntries(
    Object.entries(methods).map(([name, changes]) => [
      name,
      changes.map((change) => ({ ...change })),
    ]),
  );
}

function constantEntry(key: string, name: string | null): readonly Doc[] {
  if (name === null) return [];
  return [name === key ? name : entryOf(key, name)];
}

/** Emits `const methods: Readonly<Record<string, ServerMethod>> = { … };`. */
export function emitMethodTable(
  scope: ServerScope,
  name: string,
  services: readonly ServicePlan[],
): Structure {
  const { imports } = scope;
  const type = imports.runtime("server", "ServerMethod", "inner");
  const rows = services.flatMap((service) =>
    service.methods.map((method): Doc => {
      const key = quoteString(`${service.service.name}/${method.method.name}`);
      return [`${key}: `, emitRow(scope, service, method)];
    }),
  );
  // The table is not a list, because TypeScript would compare each row with
  // every other.
  const tableType = `Readonly<Record<string, ${type}>>`;
  return buildLocal(name, linesObjectOf(rows), tableType);
}

/** Emits the row of a method: its route, and the checks around its handler. */
export function emitRow(
  scope: ServerScope,
  service: ServicePlan,
  plan: MethodPlan,
): Doc {
  const { exact, method, names, request, response } = plan;
  const { validationError } = scope.host.host;
  const credentials = plan.credentials.map((each) => each.names.constant);
  const handler = [service.names.property, names.property];
  const isInbound = service.service.direction === "inbound";
  return linesObjectOf([
    entryOf("service", quoteString(method.service)),
    entryOf("name", quoteString(method.name)),
    ["handler: ", arrayOf(handler.map(quoteString))],
    ["route: ", objectOf(routeEntries(scope, plan))],
    ...(isReadByGet(plan) ? ["isReadonly: true"] : []),
    ...(method.idempotencyKey === "none"
      ? []
      : [
          entryOf("idempotencyKey", quoteString(method.idempotencyKey)),
          entryOf("host", quoteString(scope.host.host.name)),
        ]),
    ...(exact.requests ? ["isExact: true"] : []),
    ...(response.message.isStream ? ["isStream: true"] : []),
    ...fileEntries(plan),
    ["credentials: ", arrayOf(credentials)],
    ...alternativesEntry(plan),
    entryOf("checkRequest", checkOf(scope.imports, request)),
    entryOf("checkResponse", checkOf(scope.imports, response)),
    ...codecEntries(scope, plan),
    ...printerEntry(scope, plan),
    ...namesEntry("errors", method.errors ?? []),
    ...constantEntry("errorData", scope.errorData),
    ...constantEntry("errorBody", scope.errorBody),
    ...constantEntry("skew", isInbound ? scope.skew : null),
    entryOf("validationError", errorRow(scope, validationError)),
  ]);
}

/** Prints the alternatives of a method's credentials, if there are several. */
function alternativesEntry({
  credentials,
  method,
}: MethodPlan): readonly Doc[] {
  const { alternatives } = method;
  if (alternatives.length === 0) return [];
  const lists = alternatives.map((keys) =>
    arrayOf(
      credentialsOf({ credentials: keys }, { credentials }).map(
        ({ names }) => names.constant,
      ),
    ),
  );
  return [["alternatives: ", arrayOf(lists)]];
}

/** Whether a method that is called with POST can also be called with GET. */
function isReadByGet({ kind, method }: MethodPlan): boolean {
  const { route, safety } = method;
  return route.kind === "rpc" && safety === "readonly" && kind === "call";
}

/** Returns entries with the names of the fields that are files. */
function fileEntries({ request, response }: MethodPlan): readonly Doc[] {
  const { files, fileLists } = request;
  const [download] = response.files;
  const upload = [
    ...namesEntry("files", files),
    ...namesEntry("fileLists", fileLists),
  ];
  return [
    ...(upload.length === 0 ? [] : [["upload: ", objectOf(upload)]]),
    ...(download === undefined
      ? []
      : [entryOf("download", quoteString(download))]),
  ];
}

function routeEntries(scope: ServerScope, plan: MethodPlan): readonly Doc[] {
  const { method, wire } = plan;
  const { route } = method;
  const kind = entryOf("kind", quoteString(route.kind));
  const path = entryOf("path", quoteString(plan.path));
  switch (route.kind) {
    case "rpc":
      return [kind, path, ...uploadEntry(scope, plan)];
    case "rest": {
      const { request, response } = wire;
      const { emptyLists, lists, json } = textFields(scope, plan);
      const verb = wire.address?.verb ?? "GET";
      const { successes, whole } = response;
      const [{ status }] = successes;
      return [
        kind,
        ...(verb === "GET" ? [] : [entryOf("verb", quoteString(verb))]),
        path,
        readEntry(scope.imports, request.body, plan.request.object),
        ...namesEntry("lists", lists),
        ...namesEntry("json", json),
        // Servers ignore pairs without a field.
        ...queryEntries(request, skip),
        ...requestHeadersEntry(request),
        ...namesEntry("emptyLists", emptyLists),
        ...requestBodyEntry(request.body),
        ...mediaTypeEntry(request.body),
        ...(status === 200 || response.byStatus.length > 0
          ? []
          : [entryOf("status", String(status))]),
        ...statusesEntry(response.byStatus),
        ...(response.status === null
          ? []
          : [entryOf("statusField", quoteString(response.status.jsonName))]),
        ...responseHeadersEntry(plan),
        entryOf("body", whole === null ? "null" : quoteString(whole.jsonName)),
      ];
    }
    case "webhook":
      return [kind];
  }
}

/** Returns the entry that reads a form with files, if the request has any. */
function uploadEntry(
  { imports }: ServerScope,
  { request }: MethodPlan,
): readonly Doc[] {
  if (!hasFiles(request)) return [];
  const reader = imports.runtime("codegen/read-requests", "readUpload");
  return [entryOf("read", reader)];
}

function responseHeadersEntry({ wire }: MethodPlan): readonly Doc[] {
  const headers = responseHeaders(wire.response);
  return headersEntry(headers, "responseHeaders");
}

/** The names of fields in an address or a header that are not one text. */
interface TextFields {
  readonly lists: readonly string[];
  /** Lists that are empty if there is nothing at their place. */
  readonly emptyLists: readonly string[];
  /** Fields whose value or items are numbers, booleans or null. */
  readonly json: readonly string[];
}

function textFields(
  { plan: { contract } }: ServerScope,
  { method, wire }: MethodPlan,
): TextFields {
  const values = valuesOf(contract);
  const slots = (["path", "query", "header"] as const).flatMap((place) =>
    fieldsAt(wire.request, place),
  );
  const inOrder = method.request.fields.flatMap((field) =>
    slots
      .filter((slot) => slot.field === field)
      .map(({ absent }) => ({ ...textFormOf(values, field), absent, field })),
  );
  const namesOf = (chosen: typeof inOrder): readonly string[] =>
    chosen.map(({ field }) => field.jsonName);
  const lists = inOrder.filter(({ isList }) => isList);
  return {
    lists: namesOf(lists),
    emptyLists: namesOf(lists.filter(({ absent }) => absent === "empty")),
    json: namesOf(inOrder.filter(({ writing }) => writing === "json")),
  };
}

function codecEntries(
  { imports }: HostScope,
  { request, response }: MethodPlan,
): readonly Doc[] {
  const decode = (): string => functionOf(imports, "decode", request.object);
  const encode = (): string => functionOf(imports, "encode", response.object);
  return [
    ...(request.decodes ? [entryOf("decodeRequest", decode())] : []),
    ...(response.encodes ? [entryOf("encodeResponse", encode())] : []),
  ];
}

/** Prints the entry for a response's printer, unless it needs none. */
function printerEntry(
  { imports }: HostScope,
  { printed, response, wire }: MethodPlan,
): readonly Doc[] {
  const { name, unit } = response.object;
  if (printed === "message") {
    const print = functionOf(imports, "print", response.object);
    return [entryOf("printResponse", print)];
  }
  if (wire.response.byStatus.length > 0) {
    return bodyPrinters(imports, printed);
  }
  const [body] = printed;
  if (body === undefined) return [];
  const valueType = imports.generated(unit, "types", name, "inner");
  const { isNullable, jsonName } = body.field;
  const value = `value${quoteAccess(jsonName)}`;
  const json = jsonOf(imports, body.value, value);
  const head: Doc = [
    "printResponse: (value",
    typeText(`: ${valueType}`),
    ") =>",
  ];
  if (!isNullable) return [afterOperator(head, json)];
  const choice = conditionalOf(`${value} === null`, '"null"', json);
  const alternative: Doc = [ifBreak("", "("), choice, ifBreak("", ")")];
  return [afterOperator(head, alternative)];
}

/** Prints the printers of the bodies of several statuses, if there are any. */
function bodyPrinters(
  imports: HostScope["imports"],
  printed: readonly FieldPlan[],
): readonly Doc[] {
  if (printed.length === 0) return [];
  const entries = printed.map(({ field, value }) => {
    const isNamed = value.kind === "struct" || value.kind === "union";
    const json = jsonOf(imports, value, "value");
    const printer = isNamed
      ? functionOf(imports, "print", value.type)
      : ["(value", typeText([": ", typeOf(imports, value)]), ") => ", json];
    return withKey(field.jsonName, (key) => [`${key}: `, printer]);
  });
  return [["printBodies: ", objectOf(entries)]];
}

/** Prints a row of the error table: `errors.InvalidArgument`. */
function errorRow({ imports, plan }: HostScope, name: string): string {
  const errors = imports.generated(plan.root, "errors", "errors");
  return errors + quoteAccess(name);
}
