import type { ErrorDeclaration, Method } from "../../../ir/contract.js";
import type { Emitter } from "../../emitter.js";
import { builtInErrors, type ErrorRow } from "./built-in-errors.js";
import { errorText } from "../names/casing.js";
import { buildAlias, buildConstant } from "../text/build.js";
import { docLines } from "../text/docs.js";
import { typeText, type Doc } from "../text/format.js";
import { Imports } from "../text/imports.js";
import {
  createLayout,
  runtimeSpecifier,
  type Layout,
} from "../names/layout.js";
import { printFile } from "../text/print.js";
import { quoteComment, quoteProperty, quoteString } from "../text/quote.js";
import {
  arrayOf,
  assignmentOf,
  callOf,
  entryOf,
  keyedOf,
  linesObjectOf,
  linesTypeOf,
  objectOf,
  unionAliasOf,
} from "../text/shapes.js";
import { declare, type Declared } from "../text/declare.js";
import { methodsOf } from "./types.js";

/**
 * `errors.ts`: at the root the error table and a class for each error, and for
 * each host the unions of the errors that its methods may answer.
 */
export const errorsEmitter: Emitter = {
  name: "errors",
  isByHost: true,
  emit(contract, options) {
    const layout = createLayout(contract, options);
    return layout.units.flatMap((unit) => {
      const imports = new Imports(layout, unit, "errors");
      const statements = [
        ...(unit === layout.root ? tableOf(layout, imports) : []),
        ...methodsOf(unit).map((method) => unionOf(layout, imports, method)),
      ];
      return printFile(imports, statements);
    });
  },
};

/** What the contract as a whole has: built-in errors, classes, the table. */
function tableOf(layout: Layout, imports: Imports): readonly Declared[] {
  const { contract, names, root } = layout;
  const specifier = runtimeSpecifier(layout, root, "errors");
  const builtIn = [
    "builtInErrors",
    "BuiltInError",
    ...builtInErrors.map(({ name }) => `${name}Error`),
  ];
  // Rows are written out: a spread would keep the table in every bundle.
  const rows = [...builtInErrors, ...contract.errors];
  const table = imports.runtime("errors", "errorTable");
  const tableType = imports.runtimeType("errors", "ErrorTable");
  const classes = contract.errors.map(({ name }) => names.errorClass(name));
  return [
    declare(imports, {
      kind: "reexport",
      from: specifier,
      names: builtIn.map((name) => ({ name, isType: name === "BuiltInError" })),
    }),
    ...contract.errors.map((error) => classOf(layout, imports, error)),
    // A constant of its own, so that its type can be named: declarations can be
    // made of each file alone (`isolatedDeclarations`).
    declare(imports, {
      kind: "constant",
      docs: [
        "Code, HTTP status, and the text where it is not the words of the name.",
      ],
      isExported: false,
      name: "rows",
      type: null,
      declared: () => linesTypeOf(rows.map(rowTypeOf)),
      assign: (head) => [
        head,
        " = ",
        linesObjectOf(rows.map(rowOf)),
        typeText(" as const"),
      ],
    }),
    buildConstant(
      imports,
      ["Every error of the contract, by name."],
      "errors",
      `${tableType}<typeof rows>`,
      (head) => assignmentOf(head, `/* @__PURE__ */ ${table}(rows)`),
    ),
    buildAlias(
      imports,
      ["Any declared error."],
      [
        unionAliasOf(
          `export type ${names.contractError}`,
          classes.length > 0
            ? classes
            : [imports.runtimeType("errors", "BuiltInError")],
        ),
        ";",
      ],
    ),
  ];
}

/** `Name: [code, status]`, with the text where it is another. */
function rowOf(row: ErrorRow): Doc {
  const cells = cellsOf(row);
  return keyedOf(row.name, (key) => [`${key}: `, cells]);
}

/** `readonly Name: readonly [code, status]`, the same. */
function rowTypeOf(row: ErrorRow): Doc {
  return [`readonly ${quoteProperty(row.name)}: readonly `, cellsOf(row)];
}

function cellsOf({ code, message, name, status }: ErrorRow): Doc {
  const text = message === errorText(name) ? [] : [quoteString(message)];
  return arrayOf([`${code}`, `${status}`, ...text]);
}

function definitionOf(error: ErrorRow): readonly Doc[] {
  return [
    entryOf("name", quoteString(error.name)),
    entryOf("code", `${error.code}`),
    entryOf("message", quoteString(error.message)),
    entryOf("status", `${error.status}`),
  ];
}

/** A class that carries its own row, so that unused ones can be shaken off. */
function classOf(
  { names }: Layout,
  imports: Imports,
  error: ErrorDeclaration,
): Declared {
  const name = quoteString(error.name);
  const message = quoteComment([error.message]).join("");
  const facts = `Code ${error.code}, HTTP ${error.status}.`;
  const docs = docLines(error.docs);
  const options = imports.runtimeType("errors", "RpcErrorOptions");
  const base = imports.runtime("errors", "RpcError");
  imports.declaredType("errors", "RpcError");
  return declare(imports, {
    kind: "class",
    docs:
      docs.length === 0
        ? [`${sentence(message)} ${facts}`]
        : [...docs, "", facts],
    name: names.errorClass(error.name),
    extends: base,
    typeArgument: name,
    statics: [{ name: "errorName", value: name }],
    ctor: {
      parameter: { name: "options", type: options, isOptional: true },
      body: [
        [callOf("super", [objectOf(definitionOf(error)), "options"]), ";"],
      ],
    },
  });
}

function sentence(text: string): string {
  const start = text.slice(0, 1).toUpperCase() + text.slice(1);
  return /[.!?]$/u.test(start) ? start : `${start}.`;
}

/** The errors of a method: what it declares, or all, and the built-in ones. */
function unionOf(layout: Layout, imports: Imports, method: Method): Declared {
  const { names, root } = layout;
  const declared =
    method.errors === null
      ? [names.contractError]
      : method.errors.map((name) => names.errorClass(name));
  const types = [...new Set(declared)].map((name) =>
    imports.generatedType(root, "errors", name),
  );
  const all = [...types, imports.runtimeType("errors", "BuiltInError")];
  const about = quoteComment([`${method.service}.${method.name}`]).join("");
  return buildAlias(
    imports,
    [`Errors of \`${about}\`.`],
    [unionAliasOf(`export type ${names.method(method).error}`, all), ";"],
  );
}
