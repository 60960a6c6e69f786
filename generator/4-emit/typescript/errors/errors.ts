import type { ErrorDeclaration } from "../../../ir/contract.js";
import { builtInErrors, type ErrorRow } from "../names/built-in-errors.js";
import { errorText } from "../../names/casing.js";
import { buildAlias, buildConstant, buildInferred } from "../text/build.js";
import { typeText, type Doc } from "../text/format.js";
import { errorClass } from "../plan/error-class.js";
import { createUnitEmitter } from "../plan/unit-emitter.js";
import { methodsOf } from "../../../ir/methods-of.js";
import { createScope, type FileScope } from "../plan/file-scope.js";
import type { Imports } from "../plan/imports.js";
import { runtimeSpecifier } from "../plan/layout.js";
import type { MethodPlan } from "../plan/plan.js";
import { printFile } from "../text/print.js";
import { quoteComment, quoteProperty, quoteString } from "../text/quote.js";
import {
  arrayOf,
  callOf,
  keyedOf,
  linesObjectOf,
  linesTypeOf,
  objectOf,
  pureCallOf,
  unionOf,
} from "../text/shapes.js";
import { kinds, type Structure } from "../text/structures.js";

/**
 * Writes `errors.ts`. At the root, it has the error table and a class for each
 * error. For each host, it has a union of the errors of each method.
 */
export const errorsEmitter = createUnitEmitter({
  name: "errors",
  emitUnit(plan, unit) {
    const scope = createScope(plan, unit, "errors");
    const methods = methodsOf(unit.host?.services ?? []);
    const statements = [
      ...(unit === plan.root ? tableOf(scope) : []),
      ...methods.map((method) => errorsOf(scope, method)),
    ];
    return printFile(scope.imports, statements);
  },
});

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
      classOf(imports, error, names.errorClass(error.name)),
    ),
    // A separate constant gives the type a name, so that `isolatedDeclarations`
    // can create declarations from this file alone.
    buildInferred({
      docs: [
        "Code, HTTP status, and the message if it cannot be derived from the name.",
      ],
      isExported: false,
      name: "rows",
      value: [linesObjectOf(rows.map(rowOf)), typeText(" as const")],
      declared: linesTypeOf(rows.map(rowTypeOf)),
    }),
    buildConstant(
      ["Every error that the contract declares, by name."],
      "errors",
      `${tableType}<typeof rows>`,
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
  return keyedOf(row.name, (key) => [`${key}: `, cells]);
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
): Structure {
  const errorName = quoteString(error.name);
  const options = imports.runtimeType("errors", "RpcErrorOptions");
  const base = imports.runtime("errors", "RpcError");
  imports.runtime("errors", "RpcError", "declared");
  return errorClass(error, {
    name,
    extends: [base, typeText(`<${errorName}>`)],
    properties: [
      {
        name: "errorName",
        isStatic: true,
        hasOverrideKeyword: true,
        isReadonly: true,
        initializer: errorName,
      },
    ],
    parameter: { name: "options", type: options, hasQuestionToken: true },
    callSuper: (row) => callOf("super", [objectOf(row), "options"]),
  });
}

/** Builds the union of the errors that a method can return. */
function errorsOf(
  { imports, plan }: FileScope,
  { method, names: { error } }: MethodPlan,
): Structure {
  const { names, root } = plan;
  const declared =
    method.errors === null
      ? [names.contractError]
      : method.errors.map((name) => names.errorClass(name));
  const types = [...new Set(declared)].map((name) =>
    imports.generatedType(root, "errors", name),
  );
  const all = [...types, imports.runtimeType("errors", "BuiltInError")];
  const about = quoteComment([`${method.service}.${method.name}`]).join("");
  return buildAlias([`Errors of \`${about}\`.`], error, unionOf(all));
}
