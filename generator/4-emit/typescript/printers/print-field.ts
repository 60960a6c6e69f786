import type { Field } from "../../../ir/contract.js";
import { group, indent, line, render, type Doc } from "../text/format.js";
import { quoteAccess, quoteString, quoteTemplate } from "../text/quote.js";
import { operandsOf } from "../text/shapes.js";
import type { TypeContext } from "../types/type-text.js";
import { isAbsentAsNull, isInherited } from "../validators/field-access.js";
import { jsonOf } from "./print-value.js";
import { isQuoted } from "./writing.js";

/** Whether a field has a part of its own for when it is absent or null. */
export function isConditional({ isNullable, isOptional }: Field): boolean {
  return isNullable || isOptional;
}

/** Text around a part. */
interface Around {
  /** E.g. a comma. */
  readonly before: string;
  /** E.g. the brace at the end. */
  readonly after: string;
  /** Whether the next part begins with the quote that closes this one. */
  readonly staysOpen: boolean;
}

/** `,"name":…` of a field of `value`, or nothing where it is absent. */
export function partOf(
  context: TypeContext,
  field: Field,
  { after, before, staysOpen }: Around,
): Doc {
  const { isNullable, isOptional, jsonName } = field;
  const value = `value${quoteAccess(jsonName)}`;
  const start = `${before}${JSON.stringify(jsonName)}:`;
  const quote = isQuoted(context.index, field) ? '"' : "";
  const end = staysOpen ? after : quote + after;
  // Prettier breaks no code within a template.
  const json = render(jsonOf(context, field, value), -Infinity);
  const code = `\${${json}}`;
  const present = template(start + quote, code, end);
  const known: Doc = isNullable
    ? [`${value} === null`, choices(template(`${start}null${after}`), present)]
    : present;
  if (!isOptional) return group(known);
  const tests = group(operandsOf("||", absenceTests(context, field, value)));
  return group([tests, choices(quoteString(after), known)]);
}

/** What says that there is nothing to print. */
function absenceTests(
  { index }: TypeContext,
  field: Field,
  value: string,
): readonly string[] {
  const { jsonName } = field;
  return [
    // What every object inherits is not a value of the field.
    ...(isInherited(jsonName)
      ? [`!Object.hasOwn(value, ${quoteString(jsonName)})`]
      : []),
    isAbsentAsNull(index, field)
      ? `${value} == null`
      : `${value} === undefined`,
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
