import { jsonOf } from "../plan/convert.js";
import type { Imports } from "../plan/imports.js";
import type { FieldPlan } from "../plan/plan.js";
import { group, indent, line, render, type Doc } from "../text/format.js";
import { quoteAccess, quoteString, quoteTemplate } from "../text/quote.js";
import { operandsOf } from "../text/shapes.js";

/** Whether a field has a part of its own for when it is absent or null. */
export function isConditional({ field }: FieldPlan): boolean {
  return field.isNullable || field.isOptional;
}

/** Whether the JSON of a field is a string. */
function isQuoted({ print }: FieldPlan): boolean {
  return print.kind === "quoted" || print.kind === "escaped";
}

/**
 * `,"name":…` of a field of `value`, or nothing where it is absent.
 *
 * Input: the text before the name, and after the value.
 */
export function partOf(
  imports: Imports,
  plan: FieldPlan,
  before: string,
  after: string,
): Doc {
  const { isNullable, isOptional, jsonName } = plan.field;
  const value = `value${quoteAccess(jsonName)}`;
  const start = `${before}${JSON.stringify(jsonName)}:`;
  const quote = isQuoted(plan) ? '"' : "";
  // Prettier breaks no code within a template.
  const json = render(jsonOf(imports, plan.print, value), -Infinity);
  const code = `\${${json}}`;
  const present = template(start + quote, code, quote + after);
  const known: Doc = isNullable
    ? [`${value} === null`, choices(template(`${start}null${after}`), present)]
    : present;
  if (!isOptional) return group(known);
  const tests = group(operandsOf("||", absenceTests(plan, value)));
  return group([tests, choices(quoteString(after), known)]);
}

/** What says that there is nothing to print. */
function absenceTests(
  { field, isAbsentAsNull, isInherited }: FieldPlan,
  value: string,
): readonly string[] {
  return [
    // What every object inherits is not a value of the field.
    ...(isInherited
      ? [`!Object.hasOwn(value, ${quoteString(field.jsonName)})`]
      : []),
    isAbsentAsNull ? `${value} == null` : `${value} === undefined`,
  ];
}

/** What follows the test of a condition. */
function choices(yes: Doc, no: Doc): Doc {
  return indent([line, "? ", yes, line, ": ", no]);
}

/** A template literal. Input: text of the schema, code, text of the schema. */
function template(start: string, code = "", end = ""): string {
  return `\`${quoteTemplate(start)}${code}${quoteTemplate(end)}\``;
}
