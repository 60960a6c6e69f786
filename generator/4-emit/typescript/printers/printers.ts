import type { Contract, Field } from "../../../ir/contract.js";
import { createIndex } from "../../../ir/resolve.js";
import type { EmitOptions, OutputFile } from "../../emitter.js";
import { type CodecSubject, subjectsOf } from "../codecs/codec-context.js";
import { allWanted, createWanted } from "../codecs/wanted.js";
import { createLayout, type Unit } from "../names/layout.js";
import { buildText, type Statement } from "../text/build.js";
import type { Doc } from "../text/format.js";
import { printFile } from "../text/print.js";
import {
  afterOperator,
  functionOf,
  operandsOf,
  returnOf,
} from "../text/shapes.js";
import { createTypeContext, type TypeContext } from "../types/type-text.js";
import { isConditional, isQuoted, partOf } from "./print-field.js";

/**
 * `printers.ts`: the JSON of what servers answer, put together field by field.
 * It makes use of what the check has made sure of, e.g. which text needs no
 * escaping.
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
    return printFile(unit, "printers", context.imports, statements) ?? [];
  });
}

/** `printX(value: X): string`. */
function printerStatement(
  context: TypeContext,
  unit: Unit,
  { name, fields }: CodecSubject,
): Statement {
  const type = context.imports.generatedType(unit, "types", name);
  const body = bodyOf(context, fields);
  return buildText(
    [`JSON of \`${name}\`, which is in wire form and checked.`],
    ["export ", functionOf(`print${name}`, [`value: ${type}`], "string", body)],
  );
}

function bodyOf(
  context: TypeContext,
  fields: readonly Field[],
): readonly Doc[] {
  if (fields[0]?.isOptional === true) {
    // Which one comes first is known only by its comma.
    const sum = operandsOf("+", partsOf(context, fields, ",", ""));
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
