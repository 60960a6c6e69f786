import type { ErrorDeclaration } from "../../../ir/contract.js";
import { buildClass, buildText, type Statement } from "../text/build.js";
import type { CallScope, HostScope } from "../calls/call-scope.js";
import { docLines } from "../text/docs.js";
import type { Doc } from "../text/format.js";
import { runtimeSpecifier } from "../names/layout.js";
import { quoteComment, quoteKey, quoteString } from "../text/quote.js";
import {
  callWithLimits,
  entryOf,
  linesObjectOf,
  namedExportOf,
} from "../text/shapes.js";

/** What the runtime has under names of webrpc's client, unless it is taken. */
const runtimeNames = [
  "WebrpcBadMethodError",
  "WebrpcBadRequestError",
  "WebrpcBadResponseError",
  "WebrpcBadRouteError",
  "WebrpcClientAbortedError",
  "WebrpcClientDisconnectedError",
  "WebrpcEndpointError",
  "WebrpcError",
  "WebrpcHeader",
  "WebrpcInternalErrorError",
  "WebrpcRequestFailedError",
  "WebrpcServerPanicError",
  "WebrpcStreamFinishedError",
  "WebrpcStreamLostError",
  "WebrpcVersion",
  "VersionFromHeader",
];

const runtimeTypes = [
  "Fetch",
  "WebrpcOptions",
  "WebrpcStreamController",
  "WebrpcStreamOptions",
];

/** Built-in errors, a class for each declared one, and the three tables. */
export function emitCompatErrors(scope: CallScope): readonly Statement[] {
  const { errors } = scope.layout.contract;
  return [
    reexportRuntime(scope),
    ...errors.map((error) => classOf(scope, error)),
    ...tablesOf(scope),
  ];
}

function reexportRuntime({ layout, unit }: CallScope): Statement {
  const isFree = (name: string): boolean =>
    layout.names.imported(name) === name;
  const names = [
    ...runtimeNames.filter(isFree),
    ...runtimeTypes.filter(isFree).map((name) => `type ${name}`),
  ];
  return buildText(
    [],
    namedExportOf(names, runtimeSpecifier(layout, unit, "webrpc")),
  );
}

function classOf(
  { imports, layout }: CallScope,
  error: ErrorDeclaration,
): Statement {
  const message = quoteComment([error.message]).join("");
  const end = /[.!?]$/u.test(message) ? "" : ".";
  const facts = `Code ${error.code}, HTTP ${error.status}.`;
  const definition = [
    entryOf("name", quoteString(error.name)),
    entryOf("code", `${error.code}`),
    entryOf("message", quoteString(error.message)),
    entryOf("status", `${error.status}`),
  ];
  return buildClass({
    docs: docLines(error.docs, [`${message}${end} ${facts}`]),
    name: layout.names.errorClass(error.name),
    extends: imports.runtime("webrpc", "WebrpcError"),
    statics: [],
    parameters: `error: ${imports.runtimeType("webrpc", "WebrpcErrorParams")} = {}`,
    body: [[callWithLimits("super", ["error"], definition), ";"]],
  });
}

/** `errors`, `WebrpcErrorCodes`, `webrpcErrorByCode`. */
function tablesOf({
  imports,
  layout,
  locals,
}: CallScope): readonly Statement[] {
  const { contract, names } = layout;
  const codes = locals.claim("codes", "errorCodes");
  const errorCodes = names.imported("WebrpcErrorCodes");
  const byCode = names.imported("webrpcErrorByCode");
  const codeRows = contract.errors.map(({ name, code }) =>
    entryOf(quoteKey(name), `${code}`),
  );
  const classRows = contract.errors.map(({ name, code }): Doc =>
    entryOf(`${code}`, names.errorClass(name)),
  );
  const classType = imports.runtimeType("webrpc", "WebrpcErrorClasses");
  return [
    buildText(
      [],
      [
        `const ${codes} = `,
        linesObjectOf([
          `...${imports.runtime("webrpc", "builtInErrorCodes")}`,
          ...codeRows,
        ]),
        " as const;",
      ],
    ),
    buildText(
      ["Names of all errors."],
      `export const errors = /* @__PURE__ */ ${imports.runtime("webrpc", "namesOf")}(${codes});`,
    ),
    `export type errors = keyof typeof ${codes};`,
    buildText(
      ["Codes of all errors by name, and names by code."],
      `export const ${errorCodes} = /* @__PURE__ */ ${imports.runtime("webrpc", "codesOf")}(${codes});`,
    ),
    `export type ${errorCodes} = (typeof ${codes})[errors];`,
    buildText(
      ["Classes of all errors by code."],
      [
        `export const ${byCode}: ${classType} = `,
        linesObjectOf([
          `...${imports.runtime("webrpc", "builtInErrorByCode")}`,
          ...classRows,
        ]),
        ";",
      ],
    ),
  ];
}

/** What webrpc's client says about the schema and itself. */
export function emitCompatFacts({
  host,
  layout,
}: HostScope): readonly Statement[] {
  const name = layout.names.imported;
  const version = `v${host.version ?? "0.0.0"}`;
  return [
    buildText(
      ["Version of the schema."],
      `export const ${name("WebrpcSchemaVersion")} = ${quoteString(version)};`,
    ),
    buildText(
      ["Value of the header that says who calls."],
      `export const ${name("WebrpcHeaderValue")} = ${quoteString(headerValue(host.name, version))};`,
    ),
  ];
}

function headerValue(name: string, version: string): string {
  // Only what may stand in a header, whatever the schema is called.
  const safe = name.replace(/[^\w.-]/gu, "-");
  return `webrpc;ridlkit;${safe}@${version}`;
}
