import type { ErrorDeclaration, Method } from "../../../ir/contract.js";
import type { Emitter } from "../../emitter.js";
import { builtInErrors, type ErrorRow } from "./built-in-errors.js";
import { buildClass, buildText, type Statement } from "../text/build.js";
import { docLines, originNotes } from "../text/docs.js";
import type { Doc } from "../text/format.js";
import { Imports } from "../text/imports.js";
import {
  createLayout,
  runtimeSpecifier,
  type Layout,
} from "../names/layout.js";
import { printFile } from "../text/print.js";
import { quoteComment, quoteKey, quoteString } from "../text/quote.js";
import {
  arrayOf,
  assignmentOf,
  callOf,
  entryOf,
  linesObjectOf,
  namedExportOf,
  objectOf,
  unionAliasOf,
} from "../text/shapes.js";
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
      return printFile(unit, "errors", imports, statements) ?? [];
    });
  },
};

/** What the contract as a whole has: built-in errors, classes, the table. */
function tableOf(layout: Layout, imports: Imports): readonly Statement[] {
  const { contract, names, root } = layout;
  const specifier = runtimeSpecifier(layout, root, "errors");
  const builtIn = builtInErrors.map(({ name }) => `${name}Error`);
  // Rows are written out: a spread would keep the table in every bundle.
  const rows = [...builtInErrors, ...contract.errors];
  const table = imports.runtime("errors", "errorTable");
  const tableType = imports.runtimeType("errors", "ErrorTable");
  const classes = contract.errors.map(({ name }) => names.errorClass(name));
  return [
    buildText(
      [],
      namedExportOf(
        ["builtInErrors", "type BuiltInError", ...builtIn],
        specifier,
      ),
    ),
    ...contract.errors.map((error) => classOf(layout, imports, error)),
    // A constant of its own, so that its type can be named: declarations can be
    // made of each file alone (`isolatedDeclarations`).
    buildText(
      [],
      ["const rows = ", linesObjectOf(rows.map(rowOf)), " as const;"],
    ),
    buildText(
      ["Every error of the contract, by name."],
      [
        assignmentOf(
          `export const errors: ${tableType}<typeof rows>`,
          `/* @__PURE__ */ ${table}(rows)`,
        ),
        ";",
      ],
    ),
    buildText(
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

/** `Name: [code, status, "text"]`. */
function rowOf({ name, code, message, status }: ErrorRow): Doc {
  const cells = [`${code}`, `${status}`, quoteString(message)];
  return [`${quoteKey(name)}: `, arrayOf(cells)];
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
): Statement {
  const name = quoteString(error.name);
  const message = quoteComment([error.message]).join("");
  const facts = `Code ${error.code}, HTTP ${error.status}.`;
  const docs = docLines(error.docs);
  const options = imports.runtimeType("errors", "RpcErrorOptions");
  return buildClass({
    docs:
      docs.length === 0
        ? [`${sentence(message)} ${facts}`]
        : [...docs, "", facts, ...originNotes(error.docs)],
    name: names.errorClass(error.name),
    extends: `${imports.runtime("errors", "RpcError")}<${name}>`,
    statics: [{ name: "errorName", value: name }],
    parameters: `options?: ${options}`,
    body: [[callOf("super", [objectOf(definitionOf(error)), "options"]), ";"]],
  });
}

function sentence(text: string): string {
  const start = text.slice(0, 1).toUpperCase() + text.slice(1);
  return /[.!?]$/u.test(start) ? start : `${start}.`;
}

/** The errors of a method: what it declares, or all, and the built-in ones. */
function unionOf(layout: Layout, imports: Imports, method: Method): Statement {
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
  return buildText(
    [`Errors of \`${about}\`.`],
    [unionAliasOf(`export type ${names.method(method).error}`, all), ";"],
  );
}
