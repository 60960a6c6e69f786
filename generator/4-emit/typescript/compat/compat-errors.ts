import type { ErrorDeclaration } from "../../../ir/contract.js";
import { buildAlias, buildConstant } from "../text/build.js";
import type { FileScope, HostScope } from "../plan/file-scope.js";
import type { Imports } from "../plan/imports.js";
import { runtimeSpecifier } from "../plan/layout.js";
import { docLines } from "../text/docs.js";
import { typeText, type Doc } from "../text/format.js";
import { quoteComment, quoteProperty, quoteString } from "../text/quote.js";
import {
  callWithLimits,
  entryOf,
  keyedOf,
  linesObjectOf,
  linesTypeOf,
} from "../text/shapes.js";
import { declare, type Declared } from "../text/declare.js";

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
export function emitCompatErrors(scope: FileScope): readonly Declared[] {
  const { errors } = scope.plan.contract;
  return [
    reexportRuntime(scope),
    ...errors.map((error) => classOf(scope, error)),
    ...tablesOf(scope),
  ];
}

function reexportRuntime({ imports, plan, unit }: FileScope): Declared {
  const isFree = (name: string): boolean => plan.names.imported(name) === name;
  const named = (names: readonly string[], isType: boolean) =>
    names.filter(isFree).map((name) => ({ name, isType }));
  return declare(imports, {
    kind: "reexport",
    from: runtimeSpecifier(plan.options, unit, "webrpc"),
    names: [...named(runtimeNames, false), ...named(runtimeTypes, true)],
  });
}

function classOf(
  { imports, plan }: FileScope,
  error: ErrorDeclaration,
): Declared {
  const message = quoteComment([error.message]).join("");
  const end = /[.!?]$/u.test(message) ? "" : ".";
  const facts = `Code ${error.code}, HTTP ${error.status}.`;
  const definition = [
    entryOf("name", quoteString(error.name)),
    entryOf("code", `${error.code}`),
    entryOf("message", quoteString(error.message)),
    entryOf("status", `${error.status}`),
  ];
  const base = imports.runtime("webrpc", "WebrpcError");
  imports.declaredType("webrpc", "WebrpcError");
  return declare(imports, {
    kind: "class",
    docs: docLines(error.docs, [`${message}${end} ${facts}`]),
    name: plan.names.errorClass(error.name),
    extends: base,
    statics: [],
    ctor: {
      parameter: {
        name: "error",
        type: imports.runtimeType("webrpc", "WebrpcErrorParams"),
        initial: "{}",
      },
      body: [[callWithLimits("super", ["error"], definition), ";"]],
    },
  });
}

/** `errors`, `WebrpcErrorCodes`, `webrpcErrorByCode`. */
function tablesOf({ imports, locals, plan }: FileScope): readonly Declared[] {
  const { contract, names } = plan;
  const codes = locals.claim("codes", "errorCodes");
  const errorCodes = names.imported("WebrpcErrorCodes");
  const byCode = names.imported("webrpcErrorByCode");
  const builtInClasses = imports.runtime("webrpc", "builtInErrorByCode");
  const classRows = contract.errors.map(({ name, code }): Doc =>
    entryOf(`${code}`, names.errorClass(name)),
  );
  return [
    codesOf(imports, codes, contract.errors),
    inferredConstant(
      imports,
      "Names of all errors.",
      "errors",
      `${imports.runtime("webrpc", "namesOf")}(${codes})`,
      linesTypeOf([`readonly [Name in keyof typeof ${codes}]: Name`]),
    ),
    buildAlias(imports, [], `export type errors = keyof typeof ${codes};`),
    inferredConstant(
      imports,
      "Codes of all errors by name, and names by code.",
      errorCodes,
      `${imports.runtime("webrpc", "codesOf")}(${codes})`,
      [`typeof ${codes} & `, linesTypeOf(["readonly [code: number]: string"])],
    ),
    buildAlias(
      imports,
      [],
      `export type ${errorCodes} = (typeof ${codes})[errors];`,
    ),
    buildConstant(
      imports,
      ["Classes of all errors by code."],
      byCode,
      imports.runtimeType("webrpc", "WebrpcErrorClasses"),
      (head) => [
        head,
        " = ",
        linesObjectOf([`...${builtInClasses}`, ...classRows]),
      ],
    ),
  ];
}

/** The codes of all errors, which the tables are made of. */
function codesOf(
  imports: Imports,
  name: string,
  errors: readonly ErrorDeclaration[],
): Declared {
  const builtIn = imports.runtime("webrpc", "builtInErrorCodes");
  imports.declaredType("webrpc", "builtInErrorCodes");
  const rows = errors.map((error) =>
    keyedOf(error.name, (key) => entryOf(key, `${error.code}`)),
  );
  const types = errors.map(
    (error) => `readonly ${quoteProperty(error.name)}: ${error.code}`,
  );
  return declare(imports, {
    kind: "constant",
    docs: [],
    isExported: false,
    name,
    type: null,
    declared: () => [`typeof ${builtIn} & `, linesTypeOf(types)],
    assign: (head) => [
      head,
      " = ",
      linesObjectOf([`...${builtIn}`, ...rows]),
      typeText(" as const"),
    ],
  });
}

/** A constant whose type TypeScript infers from a call. */
function inferredConstant(
  imports: Imports,
  docs: string,
  name: string,
  call: string,
  declared: Doc,
): Declared {
  return declare(imports, {
    kind: "constant",
    docs: [docs],
    isExported: true,
    name,
    type: null,
    declared: () => declared,
    assign: (head) => [head, ` = /* @__PURE__ */ ${call}`],
  });
}

/** What webrpc's client says about the schema and itself. */
export function emitCompatFacts({
  host: { host },
  imports,
  plan,
}: HostScope): readonly Declared[] {
  const version = `v${host.version ?? "0.0.0"}`;
  const fact = (name: string, docs: string, value: string): Declared =>
    declare(imports, {
      kind: "constant",
      docs: [docs],
      isExported: true,
      name: plan.names.imported(name),
      type: null,
      assign: (head) => [head, ` = ${quoteString(value)}`],
    });
  return [
    fact("WebrpcSchemaVersion", "Version of the schema.", version),
    fact(
      "WebrpcHeaderValue",
      "Value of the header that says who calls.",
      headerValue(host.name, version),
    ),
  ];
}

function headerValue(name: string, version: string): string {
  // Only what may stand in a header, whatever the schema is called.
  const safe = name.replace(/[^\w.-]/gu, "-");
  return `webrpc;ridlkit;${safe}@${version}`;
}
