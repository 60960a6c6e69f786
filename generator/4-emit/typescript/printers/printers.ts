import type { Contract, Field } from "../../../ir/contract.js";
import { createIndex } from "../../../ir/resolve.js";
import type { EmitOptions, OutputFile } from "../../emitter.js";
import { type CodecSubject, subjectsOf } from "../codecs/codec-context.js";
import { allWanted, createWanted } from "../codecs/wanted.js";
import { createLayout, type Unit } from "../names/layout.js";
import { buildFunction } from "../text/build.js";
import type { Doc } from "../text/format.js";
import { printFile } from "../text/print.js";
import { afterOperator, operationOf, returnOf } from "../text/shapes.js";
import type { Declared } from "../text/declare.js";
import { createTypeContext, type TypeContext } from "../types/type-text.js";
import { isConditional, partOf } from "./print-field.js";
import { isQuoted } from "./writing.js";

/**
 * `printers.ts`: the JSON of what servers answer, put together field by field.
 * It makes use of what the check has made sure of, e.g. which text needs no
 * escaping, and leaves out what the contract does not know.
 */
export function emitPrinters(
  contract: Contract,
  options: EmitOptions,
): readonly OutputFile[] {
  const layout = createLayout(contract, options);
  const index = createIndex(contract);
  const { printers } = allWanted(createWanted(contract, options));
  return layout.units.flatMap((unit) => {
    const context = createTypeContext(layout, unit, "printers", index);
    const statements = subjectsOf(layout, unit)
      .filter(({ name }) => printers.has(name))
      .map((subject) => printerStatement(context, unit, subject));
    return printFile(context.imports, statements);
  });
}

/** `printX(value: X): string`. */
function printerStatement(
  context: TypeContext,
  unit: Unit,
  { name, fields }: CodecSubject,
): Declared {
  const { imports } = context;
  const type = imports.generatedType(unit, "types", name);
  const parameter = fields.length === 0 ? "_value" : "value";
  return buildFunction(
    imports,
    [`JSON of \`${name}\`, which is in wire form and checked.`],
    `print${name}`,
    [{ name: parameter, type }],
    "string",
    bodyOf(context, fields),
  );
}

function bodyOf(
  context: TypeContext,
  fields: readonly Field[],
): readonly Doc[] {
  if (fields.length === 0) return ['return "{}";'];
  if (fields[0]?.isOptional === true) {
    // Which one comes first is known only by its comma.
    const sum = operationOf("+", partsOf(context, fields, ",", ""));
    return [
      [afterOperator("const members =", sum), ";"],
      "return `{${members.slice(1)}}`;",
    ];
  }
  return [returnOf("+", partsOf(context, fields, "{", "}"))];
}

/** The operands whose sum is the text of the fields. */
function partsOf(
  context: TypeContext,
  fields: readonly Field[],
  first: string,
  last: string,
): readonly Doc[] {
  let quote = "";
  return fields.map((field, at) => {
    const next = fields[at + 1];
    const before = quote + (at === 0 ? first : ",");
    // A quote that stands with the next text is one text less to join.
    const staysOpen =
      next !== undefined &&
      isQuoted(context.index, field) &&
      !isConditional(field) &&
      !isConditional(next);
    quote = staysOpen ? '"' : "";
    const after = next === undefined ? last : "";
    const part = partOf(context, field, { before, after, staysOpen });
    return isConditional(field) && fields.length > 1 ? ["(", part, ")"] : part;
  });
}
