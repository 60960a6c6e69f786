import type { OutputFile } from "../../emitter/emitter.js";
import { asType, branchesOf, narrows } from "../plan/branches.js";
import { jsonOf, writingOf } from "../plan/convert.js";
import { createScope } from "../plan/file-scope.js";
import type { Imports } from "../plan/imports.js";
import type {
  Composite,
  FieldPlan,
  Plan,
  UnionPlan,
  UnitPlan,
} from "../plan/plan.js";
import { declaredType, typeOf } from "../plan/type-text.js";
import { compositeIn, compositesOf } from "../plan/values.js";
import { buildFunction } from "../text/build.js";
import { group, indent, line, render, type Doc } from "../text/format.js";
import { printFile } from "../text/print.js";
import { quoteAccess, quoteString, quoteTemplate } from "../text/quote.js";
import {
  afterOperator,
  operandsOf,
  operationOf,
  returnOf,
} from "../text/shapes.js";
import type { Structure } from "../text/structures.js";

/**
 * Writes `printers.ts`: functions that print validated responses as JSON, field
 * by field. They are part of the target `server`.
 */
export function emitPrinters(
  plan: Plan,
  unit: UnitPlan,
): readonly OutputFile[] {
  const { imports } = createScope(plan, unit, "printers");
  const statements = compositesOf(unit)
    .filter((each) => plan.needed.printer.has(each))
    .map((each) => printerStatement(imports, each));
  return printFile(imports, statements);
}

/** Builds `printX(value: X): string`. */
function printerStatement(imports: Imports, composite: Composite): Structure {
  const { name } = composite;
  const type = declaredType(imports, composite);
  const isUnused = "fields" in composite && composite.fields.length === 0;
  const parameter = isUnused ? "_value" : "value";
  return buildFunction(
    [`Converts a valid \`${name}\` from its wire form to JSON text.`],
    `print${name}`,
    [{ name: parameter, type }],
    "string",
    "fields" in composite
      ? bodyOf(imports, composite.fields)
      : unionBody(imports, composite),
  );
}

/** Prints the fields of structs and unions, and other values as they are. */
function unionBody(imports: Imports, union: UnionPlan): readonly Doc[] {
  const isTagged = union.union.tag !== null;
  const stringify = imports.runtime("json", "stringifyJson");
  const rest = `return ${stringify}(value);`;
  const branches = branchesOf(
    imports,
    union,
    "json",
    ({ value }) => {
      if (compositeIn(value) === null) return null;
      const code = narrows(union.union)
        ? "value"
        : asType(typeOf(imports, value));
      return ["return ", jsonOf(imports, value, code), ";"];
    },
    rest,
  );
  return isTagged ? branches : [...branches, rest];
}

function bodyOf(
  imports: Imports,
  fields: readonly FieldPlan[],
): readonly Doc[] {
  if (fields.length === 0) return ['return "{}";'];
  if (fields[0]?.field.isOptional === true) {
    // The first field that is present is known only at run time, so the leading
    // comma is removed.
    const sum = operationOf("+", partsOf(imports, fields, ",", ""));
    return [
      [afterOperator("const members =", sum), ";"],
      "return `{${members.slice(1)}}`;",
    ];
  }
  return [returnOf("+", partsOf(imports, fields, "{", "}"))];
}

/** Returns the operands whose sum is the JSON of the fields. */
function partsOf(
  imports: Imports,
  fields: readonly FieldPlan[],
  first: string,
  last: string,
): readonly Doc[] {
  return fields.map((field, at) => {
    const before = at === 0 ? first : ",";
    const after = at === fields.length - 1 ? last : "";
    const part = partOf(imports, field, before, after);
    return isConditional(field) && fields.length > 1 ? ["(", part, ")"] : part;
  });
}

/** Whether a field can be absent or null. */
function isConditional({ field }: FieldPlan): boolean {
  return field.isNullable || field.isOptional;
}

/** Prints code for `,"name":…` of a field of `value`, if it is present. */
function partOf(
  imports: Imports,
  plan: FieldPlan,
  before: string,
  after: string,
): Doc {
  const { isNullable, isOptional, jsonName } = plan.field;
  const value = `value${quoteAccess(jsonName)}`;
  const start = `${before}${JSON.stringify(jsonName)}:`;
  const writing = writingOf(plan.value);
  const isQuoted = writing === "quoted" || writing === "escaped";
  const quote = isQuoted ? '"' : "";
  // Prettier does not break code in a template literal.
  const json = render(jsonOf(imports, plan.value, value), -Infinity);
  const code = `\${${json}}`;
  const present = template(start + quote, code, quote + after);
  const known: Doc = isNullable
    ? [`${value} === null`, choices(template(`${start}null${after}`), present)]
    : present;
  if (!isOptional) return group(known);
  const tests = group(operandsOf("||", absenceTests(plan, value)));
  return group([tests, choices(quoteString(after), known)]);
}

function absenceTests(
  { field, isAbsentAsNull, isInherited }: FieldPlan,
  value: string,
): readonly string[] {
  return [
    // An inherited property is not a value of the field.
    ...(isInherited
      ? [`!Object.hasOwn(value, ${quoteString(field.jsonName)})`]
      : []),
    isAbsentAsNull ? `${value} == null` : `${value} === undefined`,
  ];
}

/** Prints the two branches of a conditional expression. */
function choices(yes: Doc, no: Doc): Doc {
  return indent([line, "? ", yes, line, ": ", no]);
}

/** Prints a template literal from text, code and text. */
function template(start: string, code = "", end = ""): string {
  return `\`${quoteTemplate(start)}${code}${quoteTemplate(end)}\``;
}
