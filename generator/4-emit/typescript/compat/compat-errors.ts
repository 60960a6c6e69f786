import type { ErrorDeclaration } from "../../../ir/contract.js";
import {
  buildAlias,
  buildConstant,
  buildInferred,
  buildReferred,
} from "../text/build.js";
import { errorClass } from "../plan/error-class.js";
import type { FileScope, HostScope } from "../plan/file-scope.js";
import { runtimeSpecifier } from "../plan/layout.js";
import { typeText, type Doc } from "../text/format.js";
import { quoteProperty, quoteString } from "../text/quote.js";
import {
  callWithLimits,
  entryOf,
  withKey,
  linesObjectOf,
  linesTypeOf,
  objectOf,
  pureCallOf,
} from "../text/shapes.js";
import { kinds, type Structure } from "../text/structures.js";

/** Names that the runtime exports. The contract's names take precedence. */
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

/** Names that the file exports for every contract. */
export const compatNames: ReadonlySet<string> = new Set([
  ...runtimeNames,
  ...runtimeTypes,
]);

/** Emits the built-in errors, classes of declared errors, and tables. */
export function emitCompatErrors(scope: FileScope): readonly Structure[] {
  const { errors } = scope.plan.contract;
  return [
    reexportRuntime(scope),
    ...errors.map((error) => classOf(scope, error)),
    ...tablesOf(scope),
  ];
}

function reexportRuntime({ plan, unit }: FileScope): Structure {
  const isFree = (name: string): boolean => plan.names.imported(name) === name;
  const named = (names: readonly string[], isTypeOnly: boolean) =>
    names.filter(isFree).map((name) => ({ name, isTypeOnly }));
  return {
    kind: kinds.export,
    moduleSpecifier: runtimeSpecifier(plan.options, unit, "codegen/webrpc"),
    namedExports: [...named(runtimeNames, false), ...named(runtimeTypes, true)],
  };
}

function classOf(
  { imports, plan }: FileScope,
  error: ErrorDeclaration,
): Structure {
  const base = imports.runtime("codegen/webrpc", "WebrpcError");
  imports.runtime("codegen/webrpc", "WebrpcError", "declared");
  const type = imports.runtimeType("codegen/webrpc", "WebrpcErrorParams");
  return errorClass(error, {
    name: plan.names.errorClass(error.name),
    extends: base,
    parameter: { name: "error", type, initializer: "{}" },
    callSuper: (row) => callWithLimits("super", ["error"], row),
  });
}

/** Emits `errors`, `WebrpcErrorCodes` and `webrpcErrorByCode`. */
function tablesOf({ imports, locals, plan }: FileScope): readonly Structure[] {
  const { contract, names } = plan;
  const ownCodes = locals.claim("ownCodes", "ownErrorCodes");
  const codes = locals.claim("codes", "errorCodes");
  const builtInCodes = imports.runtime("codegen/webrpc", "builtInErrorCodes");
  imports.runtime("codegen/webrpc", "builtInErrorCodes", "declared");
  const errorCodes = names.imported("WebrpcErrorCodes");
  const byCode = names.imported("webrpcErrorByCode");
  const builtInClasses = imports.runtime(
    "codegen/webrpc",
    "builtInErrorByCode",
  );
  const classRows = contract.errors.map(({ name, code }): Doc =>
    entryOf(`${code}`, names.errorClass(name)),
  );
  return [
    codesOf(ownCodes, contract.errors),
    buildReferred(
      codes,
      `typeof ${builtInCodes} & typeof ${ownCodes}`,
      objectOf([`...${builtInCodes}`, `...${ownCodes}`]),
    ),
    buildConstant(
      ["Names of all errors."],
      "errors",
      linesTypeOf([`readonly [Name in keyof typeof ${codes}]: Name`]),
      pureCallOf(imports.runtime("codegen/webrpc", "namesOf"), [codes]),
    ),
    buildAlias([], "errors", `keyof typeof ${codes}`),
    buildConstant(
      ["Codes of all errors by name, and names by code."],
      errorCodes,
      [`typeof ${codes} & `, linesTypeOf(["readonly [code: number]: string"])],
      pureCallOf(imports.runtime("codegen/webrpc", "codesOf"), [codes]),
    ),
    buildAlias([], errorCodes, `(typeof ${codes})[errors]`),
    buildConstant(
      ["Classes of all errors by code."],
      byCode,
      imports.runtimeType("codegen/webrpc", "WebrpcErrorClasses"),
      linesObjectOf([`...${builtInClasses}`, ...classRows]),
    ),
  ];
}

/** Builds the codes of the contract's errors. */
function codesOf(name: string, errors: readonly ErrorDeclaration[]): Structure {
  const rows = errors.map((error) =>
    withKey(error.name, (key) => entryOf(key, `${error.code}`)),
  );
  const types = errors.map(
    (error) => `readonly ${quoteProperty(error.name)}: ${error.code}`,
  );
  return buildInferred({
    isExported: false,
    name,
    value: [linesObjectOf(rows), typeText(" as const")],
    declared: linesTypeOf(types),
  });
}

/** Emits constants with the version of the schema and the client's header. */
export function emitCompatFacts({
  host: { host },
  plan,
}: HostScope): readonly Structure[] {
  const version = `v${host.version ?? "0.0.0"}`;
  const fact = (name: string, docs: string, value: string): Structure =>
    buildInferred({
      docs: [docs],
      isExported: true,
      name: plan.names.imported(name),
      value: quoteString(value),
    });
  return [
    fact("WebrpcSchemaVersion", "Version of the schema.", version),
    fact(
      "WebrpcHeaderValue",
      "Value of webrpc's header, which identifies the client.",
      headerValue(host.name, version),
    ),
  ];
}

function headerValue(name: string, version: string): string {
  // Drop characters of the schema's name that a header cannot contain.
  const safe = name.replace(/[^\w.-]/gu, "-");
  return `webrpc;ridlkit;${safe}@${version}`;
}
