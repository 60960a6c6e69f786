import { isBytes } from "../../../ir/bytes.js";
import type { Field, ScalarName, TypeReference } from "../../../ir/contract.js";
import type { ContractIndex } from "../../../ir/resolve.js";
import { acceptsInteger } from "../codecs/exact-integers.js";
import { line, indent, group, type Doc } from "../text/format.js";
import { quoteAccess, quoteString, quoteTemplate } from "../text/quote.js";
import type { TypeContext } from "../types/type-text.js";
import { isPlainPattern, isPlainText } from "./plain-text.js";
import { printedStruct } from "./printable.js";

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
  const present = template(start + quote, textOf(context, field, value), end);
  const known: Doc = isNullable
    ? [`${value} === null`, choices(template(`${start}null${after}`), present)]
    : present;
  if (!isOptional) return group(known);
  const absent = quoteString(after);
  return group([`${value} === undefined`, choices(absent, known)]);
}

/** What follows the test of a condition. */
function choices(yes: Doc, no: Doc): Doc {
  return indent([line, "? ", yes, line, ": ", no]);
}

/** A template literal. Input: text of the schema, code, text of the schema. */
function template(start: string, code = "", end = ""): string {
  return `\`${quoteTemplate(start)}${code}${quoteTemplate(end)}\``;
}

/** The JSON of a value that is there, in a template literal, without quotes. */
function textOf(context: TypeContext, field: Field, value: string): string {
  const { imports, index, layout } = context;
  const call = (name: string, ...args: readonly string[]): string =>
    `\${${name}(${args.join(", ")})}`;
  const struct = printedStruct(index, field);
  if (struct !== null) {
    const print = imports.generated(
      layout.unitOfType(struct.name),
      "printers",
      `print${layout.names.type(struct.name)}`,
    );
    const isList = index.resolve(field.type).kind === "list";
    return isList
      ? call(imports.runtime("printing", "jsonList"), value, print)
      : call(print, value);
  }
  switch (writingOf(index, field)) {
    case "bare":
    case "quoted":
      return `\${${value}}`;
    case "escaped":
      return call(imports.runtime("printing", "escapeJson"), value);
    case "any":
      return call(imports.runtime("json", "stringifyJson"), value);
  }
}

/** Whether the JSON of a field is a string. */
export function isQuoted(index: ContractIndex, field: Field): boolean {
  return ["quoted", "escaped"].includes(writingOf(index, field));
}

/**
 * How JSON has a value: as it is, in quotes, in quotes and escaped, or as
 * JSON's own function finds out.
 */
type Writing = "bare" | "quoted" | "escaped" | "any";

function writingOf(index: ContractIndex, field: Field): Writing {
  if (isBytes(index, field.type)) return "quoted";
  // Text that may be a number.
  if (acceptsInteger(index, field.type)) return "any";
  const resolved = index.resolve(field.type);
  if (resolved.kind === "scalar")
    return writingOfScalar(index, field, resolved.name);
  return resolved.kind === "reference" ? writingOfEnum(index, resolved) : "any";
}

function writingOfScalar(
  index: ContractIndex,
  field: Field,
  name: ScalarName,
): Writing {
  switch (name) {
    case "any":
    case "file":
      return "any";
    case "string": {
      const { pattern } = index.constraintsOf(field);
      return pattern !== undefined && isPlainPattern(pattern)
        ? "quoted"
        : "escaped";
    }
    case "bigint":
    case "timestamp":
      return "quoted";
    default:
      return "bare";
  }
}

function writingOfEnum(
  index: ContractIndex,
  { name }: Extract<TypeReference, { kind: "reference" }>,
): Writing {
  const declared = index.type(name);
  if (declared.kind !== "enum") return "any";
  const values = declared.members.map(({ jsonValue }) => jsonValue);
  return values.every(isPlainText) ? "quoted" : "escaped";
}
