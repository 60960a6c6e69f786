import type { Credential, Method, Service } from "../../../ir/contract.js";
import { buildLocal } from "../text/build.js";
import { serverCodec } from "../calls/call-codecs.js";
import { readsExactRequest } from "../codecs/exact-integers.js";
import { fileFields, kindOfCall } from "../calls/call-kind.js";
import { pathFields, routePath } from "../calls/call-routes.js";
import {
  checkedCredentials,
  credentialsOf,
  type HostScope,
} from "../calls/call-scope.js";
import { ifBreak, typeText, type Doc } from "../text/format.js";
import { jsonOf } from "../printers/print-value.js";
import { printedPart } from "../printers/printable.js";
import {
  checkOf,
  type Side,
  unitOfMessage,
} from "../validators/message-functions.js";
import { quoteAccess, quoteString } from "../text/quote.js";
import {
  afterOperator,
  conditionalOf,
  arrayOf,
  entryOf,
  linesObjectOf,
  objectOf,
} from "../text/shapes.js";
import type { Declared } from "../text/declare.js";

/** A constant for each credential that the host's methods need. */
export function emitCredentialRules(scope: HostScope): readonly Declared[] {
  const { imports, layout } = scope;
  const { contract, names } = layout;
  const methods = scope.host.services.flatMap((service) => service.methods);
  return credentialsOf(contract, methods).map((credential) => {
    const { constant } = names.credential(credential);
    const rule = linesObjectOf(ruleEntries(scope, credential));
    return buildLocal(imports, constant, [rule, typeText(" as const")]);
  });
}

function ruleEntries(scope: HostScope, credential: Credential): readonly Doc[] {
  const { header, scheme } = credential;
  const { verify } = scope.layout.names.credential(credential);
  return [
    entryOf("header", quoteString(header)),
    entryOf("scheme", scheme === null ? "null" : quoteString(scheme)),
    entryOf("error", errorRow(scope, credential.error)),
    entryOf("verify", quoteString(verify)),
  ];
}

/** `const methods: Readonly<Record<string, ServerMethod>> = { … };` */
export function emitMethodTable(
  scope: HostScope,
  name: string,
  services: readonly Service[],
): Declared {
  const { imports } = scope;
  const type = imports.innerType("server", "ServerMethod");
  const rows = services.flatMap((service) =>
    service.methods.map((method): Doc => {
      const key = quoteString(`${service.name}/${method.name}`);
      return [`${key}: `, emitRow(scope, service, method)];
    }),
  );
  // No list: TypeScript would compare each row of it with every other.
  const tableType = `Readonly<Record<string, ${type}>>`;
  return buildLocal(imports, name, linesObjectOf(rows), tableType);
}

/** One row: where a method is and what stands around its handler. */
export function emitRow(
  scope: HostScope,
  service: Service,
  method: Method,
): Doc {
  const { contract, names } = scope.layout;
  const credentials = checkedCredentials(contract, method).map(
    (credential) => names.credential(credential).constant,
  );
  const handler = [
    names.service(service).property,
    names.method(method).property,
  ];
  return linesObjectOf([
    entryOf("service", quoteString(service.name)),
    entryOf("name", quoteString(method.name)),
    ["handler: ", arrayOf(handler.map(quoteString))],
    ["route: ", objectOf(routeEntries(scope, method))],
    ...(isReadByGet(method) ? ["isReadonly: true"] : []),
    ...(readsExactRequest(scope.index, scope.layout.options, method)
      ? ["isExact: true"]
      : []),
    ...(method.response.isStream ? ["isStream: true"] : []),
    ...fileEntries(method),
    ["credentials: ", arrayOf(credentials)],
    entryOf("checkRequest", checkEntry(scope, method, "request")),
    entryOf("checkResponse", checkEntry(scope, method, "response")),
    ...codecEntries(scope, method),
    ...printerEntry(scope, method),
    entryOf("validationError", errorRow(scope, contract.validationError)),
  ]);
}

/** Whether a method that is called by POST may be read by GET as well. */
function isReadByGet(method: Method): boolean {
  const { route, safety } = method;
  const isPlain = kindOfCall(method) === "call";
  return route.kind === "rpc" && safety === "readonly" && isPlain;
}

/** Which fields are files. */
function fileEntries({ request, response }: Method): readonly Doc[] {
  const { files, fileLists } = fileFields(request);
  const [download] = fileFields(response).files;
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

function routeEntries(scope: HostScope, method: Method): readonly Doc[] {
  const { route } = method;
  const kind = entryOf("kind", quoteString(route.kind));
  const path = entryOf("path", quoteString(routePath(method)));
  switch (route.kind) {
    case "rpc":
      return [kind, path];
    case "rest": {
      const { lists, json } = pathFields(scope.index, method);
      const body = route.body === null ? "null" : quoteString(route.body);
      return [
        kind,
        path,
        ...namesEntry("lists", lists),
        ...namesEntry("json", json),
        entryOf("body", body),
      ];
    }
    case "webhook":
      return [kind];
  }
}

function namesEntry(key: string, names: readonly string[]): readonly Doc[] {
  return names.length === 0
    ? []
    : [[`${key}: `, arrayOf(names.map(quoteString))]];
}

/** The validator of a message; `null` when it has no fields. */
function checkEntry(scope: HostScope, method: Method, side: Side): string {
  const check = checkOf(scope, method, side);
  return check === null
    ? "null"
    : scope.imports.generated(check.unit, "validators", check.name);
}

function codecEntries(scope: HostScope, method: Method): readonly Doc[] {
  const { encode, decode } = serverCodec(scope, method);
  return [
    ...(decode === null ? [] : [entryOf("decodeRequest", decode)]),
    ...(encode === null ? [] : [entryOf("encodeResponse", encode)]),
  ];
}

/** What prints a response; none where JSON's own function does it. */
function printerEntry(scope: HostScope, method: Method): readonly Doc[] {
  const { host, imports, index, layout } = scope;
  const printed = printedPart(index, method);
  if (printed === null) return [];
  const unit = unitOfMessage(layout, host, method.response);
  const type = layout.names.method(method).response;
  if (printed === "message") {
    const print = imports.generated(unit, "printers", `print${type}`);
    return [entryOf("printResponse", print)];
  }
  const valueType = imports.innerGeneratedType(unit, "types", type);
  const value = `value${quoteAccess(printed.jsonName)}`;
  const json = jsonOf(scope, printed, value);
  const head: Doc = [
    "printResponse: (value",
    typeText(`: ${valueType}`),
    ") =>",
  ];
  if (!printed.isNullable) return [afterOperator(head, json)];
  const choice = conditionalOf(`${value} === null`, '"null"', json);
  const body: Doc = [ifBreak("", "("), choice, ifBreak("", ")")];
  return [afterOperator(head, body)];
}

/** `errors.InvalidArgument`: a row of the error table. */
function errorRow({ imports, layout }: HostScope, name: string): string {
  const errors = imports.generated(layout.root, "errors", "errors");
  return errors + quoteAccess(name);
}
