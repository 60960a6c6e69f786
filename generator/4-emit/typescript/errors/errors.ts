import type { ErrorDeclaration } from "../../../ir/contract.js";
import { builtInErrors, type ErrorRow } from "../names/built-in-errors.js";
import { errorText } from "../../names/casing.js";
import { buildAlias, buildConstant, buildInferred } from "../text/build.js";
import { typeText, type Doc } from "../text/format.js";
import { errorClass } from "../plan/error-class.js";
import type { TypePlan } from "../plan/plan.js";
import { declaredType } from "../plan/type-text.js";
import { createUnitEmitter } from "../plan/unit-emitter.js";
import { methodsOf } from "../../../ir/methods-of.js";
import {
  createScope,
  type FileScope,
  type HostScope,
} from "../plan/file-scope.js";
import type { Imports } from "../plan/imports.js";
import { runtimeSpecifier } from "../plan/layout.js";
import { printFile } from "../text/print.js";
import { quoteComment, quoteProperty, quoteString } from "../text/quote.js";
import {
  arrayOf,
  callOf,
  genericOf,
  intersectionOf,
  withKey,
  linesObjectOf,
  linesTypeOf,
  objectOf,
  pureCallOf,
  unionOf,
} from "../text/shapes.js";
import {
  kinds,
  type Structure,
  type TypeAliasStructure,
} from "../text/structures.js";

/**
 * Writes `errors.ts`. At the root, it has the error table and a class for each
 * error. For each host, it has a union of the errors of each method.
 */
export const errorsEmitter = createUnitEmitter({
  name: "errors",
  summary:
    "A class for each error in the contract, and a union type for the errors of each method.",
  guide: "client.md#calls",
  emitUnit(plan, unit) {
    const scope = createScope(plan, unit, "errors");
    const { host } = unit;
    const statements = [
      ...(unit === plan.root ? tableOf(scope) : []),
      ...(host ? unionsOf({ ...scope, host }) : []),
    ];
    return printFile(scope.imports, statements);
  },
});

/** The version of the runtime that generated code needs. */
const codegenVersion = 1;

/** Emits the built-in errors, the classes and the table of the contract. */
function tableOf({ imports, plan, unit }: FileScope): readonly Structure[] {
  const { contract, names, options } = plan;
  const specifier = runtimeSpecifier(options, unit, "errors");
  const builtIn = [
    "builtInErrors",
    "BuiltInError",
    ...builtInErrors.map(({ name }) => `${name}Error`),
  ];
  // Rows are written out, because bundlers would keep a spread table.
  const rows = [...builtInErrors, ...contract.errors];
  const table = imports.runtime("errors", "errorTable");
  const tableType = imports.runtimeType("errors", "ErrorTable");
  const classes = contract.errors.map(({ name }) => names.errorClass(name));
  return [
    {
      kind: kinds.export,
      moduleSpecifier: specifier,
      namedExports: builtIn.map((name) => ({
        name,
        isTypeOnly: name === "BuiltInError",
      })),
    },
    ...contract.errors.map((error) =>
      classOf(
        imports,
        error,
        names.errorClass(error.name),
        plan.types.get(error.data ?? ""),
      ),
    ),
    // A separate constant gives the type a name, so that `isolatedDeclarations`
    // can create declarations from this file alone.
    buildInferred({
      docs: [
        "Code, HTTP status, and message (by default, derived from the name).",
      ],
      isExported: false,
      name: "rows",
      value: [linesObjectOf(rows.map(rowOf)), typeText(" as const")],
      declared: linesTypeOf(rows.map(rowTypeOf)),
    }),
    buildConstant(
      ["Every built-in and declared error, by name."],
      "errors",
      `${tableType}<typeof rows, ${codegenVersion}>`,
      pureCallOf(table, ["rows"]),
    ),
    buildAlias(
      ["Any declared error."],
      names.contractError,
      unionOf(
        classes.length > 0
          ? classes
          : [imports.runtimeType("errors", "BuiltInError")],
      ),
    ),
  ];
}

/** Prints `Name: [code, status]`, with the message if it is not the default. */
function rowOf(row: ErrorRow): Doc {
  const cells = cellsOf(row);
  return withKey(row.name, (key) => [`${key}: `, cells]);
}

/** Prints the type of a row: `readonly Name: readonly [code, status]`. */
function rowTypeOf(row: ErrorRow): Doc {
  return [`readonly ${quoteProperty(row.name)}: readonly `, cellsOf(row)];
}

function cellsOf({ code, message, name, status }: ErrorRow): Doc {
  const text = message === errorText(name) ? [] : [quoteString(message)];
  return arrayOf([`${code}`, `${status}`, ...text]);
}

function classOf(
  imports: Imports,
  error: ErrorDeclaration,
  name: string,
  data: TypePlan | undefined,
): Structure {
  const errorName = quoteString(error.name);
  const dataTypes = data === undefined ? [] : [declaredType(imports, data)];
  const passed = data === undefined ? [] : [filledType(imports, error, data)];
  const className = data === undefined ? "RpcError" : "DataError";
  const optionsName = `${className}Options`;
  const optionsType = imports.runtimeType("errors", optionsName);
  const withData =
    data === undefined ? optionsType : genericOf(optionsType, passed);
  const given = error.anyStatus
    ? intersectionOf([
        withData,
        imports.runtimeType("errors", "AnyStatusOptions"),
      ])
    : withData;
  const options = error.isDataOptional ? genericOf("Partial", [given]) : given;
  const base = imports.runtime("errors", className);
  imports.runtime("errors", className, "declared");
  const types = genericOf("", [errorName, ...dataTypes]);
  return errorClass(error, {
    name,
    extends: [base, typeText(types)],
    properties: [
      {
        name: "errorName",
        isStatic: true,
        hasOverrideKeyword: true,
        isReadonly: true,
        initializer: errorName,
      },
    ],
    parameter: {
      name: "options",
      type: options,
      hasQuestionToken: data === undefined || error.isDataOptional,
    },
    ...(error.anyStatus && {
      status: `options${error.isDataOptional ? "?" : ""}.status ?? ${error.status}`,
    }),
    callSuper: (row) => callOf("super", [objectOf(row), "options"]),
  });
}

/**
 * Prints the type of the data as handlers pass it, without what servers fill in.
 */
function filledType(
  imports: Imports,
  { dataMembers }: ErrorDeclaration,
  data: TypePlan,
): Doc {
  const type = declaredType(imports, data);
  // A name with a dot cannot be part of a path.
  const paths = dataMembers
    .map(({ path }) => path.filter((key) => key !== 0))
    .filter((keys) => keys.every((key) => !key.includes(".")))
    .map((keys) => quoteString(keys.join(".")));
  if (paths.length === 0) return type;
  const filled = imports.runtimeType("errors", "FilledData");
  return genericOf(filled, [type, unionOf([...new Set(paths)])]);
}

/** Builds the union of each method's errors. */
function unionsOf(scope: HostScope): readonly Structure[] {
  const { host, plan } = scope;
  const shared = hostUnion(scope);
  const unions = methodsOf(host.services).map(({ method, names }) => {
    const about = quoteComment([`${method.service}.${method.name}`]).join("");
    const union = method.errors
      ? classUnion(scope, method.errors)
      : (shared?.name ?? unionWith(scope, [plan.names.contractError]));
    return buildAlias([`Errors of \`${about}\`.`], names.error, union);
  });
  return [...(shared ? [shared] : []), ...unions];
}

/**
 * Builds the union for methods that list no errors. Returns null if there is no
 * such method, or if the host has all errors of the contract.
 */
function hostUnion(scope: HostScope): TypeAliasStructure | null {
  const { host, locals, plan, unit } = scope;
  const { errors, services } = host.host;
  const isOpen = methodsOf(services).some((method) => method.errors === null);
  // If only one of several hosts is generated, the plan lacks others' errors.
  const hasAll =
    unit === plan.root && errors.length === plan.contract.errors.length;
  if (!isOpen || hasAll) return null;
  const docs = ["Errors of methods that list none."];
  const name = locals.claim("HostError");
  const alias = buildAlias(docs, name, classUnion(scope, errors));
  return { ...alias, isExported: false };
}

function classUnion(scope: HostScope, errors: readonly string[]): Doc {
  const { errorClass } = scope.plan.names;
  return unionWith(scope, errors.map(errorClass));
}

/** Builds a union of types in `errors.ts` and the built-in errors. */
function unionWith(
  { imports, plan }: HostScope,
  types: readonly string[],
): Doc {
  const declared = types.map((name) =>
    imports.generatedType(plan.root, "errors", name),
  );
  return unionOf([...declared, imports.runtimeType("errors", "BuiltInError")]);
}
