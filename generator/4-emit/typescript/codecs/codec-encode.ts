import type { Field, TypeReference } from "../../../ir/contract.js";
import type { CodecContext, CodecSubject } from "./codec-context.js";
import { convertedBy } from "./converted-by.js";
import { isInherited } from "../validators/field-access.js";
import type { Doc } from "../text/format.js";
import { quoteAccess, quoteKey, quoteString } from "../text/quote.js";
import {
  afterOperator,
  callOf,
  conditionalOf,
  functionOf,
  ifOf,
  linesObjectOf,
} from "../text/shapes.js";

/**
 * `encodeX(value: X): unknown`, which writes a copy property by property: that
 * is faster than spreading, and nothing unknown gets onto the wire. What is no
 * object at all is left for the validator to report.
 */
export function encoderStatement(
  context: CodecContext,
  { name, fields }: CodecSubject,
): Doc {
  const type = context.imports.generatedType(context.unit, "types", name);
  const isRecord = context.imports.runtime("validation", "isRecord");
  const entries = fields.map((field) => entryOf(context, field));
  return [
    "export ",
    functionOf(`encode${name}`, [`value: ${type}`], "unknown", [
      // TypeScript would take the guard's type for the value's, at some cost.
      ifOf(`!${isRecord}(value as unknown)`, "return value;"),
      ["return ", linesObjectOf(entries), ";"],
    ]),
  ];
}

function entryOf(context: CodecContext, field: Field): Doc {
  const { conversions, imports } = context;
  const key = quoteKey(field.jsonName);
  const value = `value${quoteAccess(field.jsonName)}`;
  const leaf = conversions.leaf(field);
  const encode = leaf === null ? null : leaf.encode;
  const isEncoded =
    encode !== null || (leaf === null && conversions.copies(field.type));
  const encoded = (): Doc =>
    encode !== null
      ? callOf(imports.runtime("codec", encode), [value])
      : encodedBy(context, field.type, value);
  const present = isEncoded ? encoded() : value;
  const absent = absenceTests(field, value, isEncoded);
  if (absent.length === 0) return [`${key}: `, present];
  const nothing = field.isNullable ? value : "undefined";
  const chosen = conditionalOf(absent.join(" || "), nothing, present);
  // Only a comparison goes to the next line as a whole.
  return absent.length === 1 && isInherited(field.jsonName)
    ? [`${key}: `, chosen]
    : afterOperator(`${key}:`, chosen);
}

/** Tests that say that there is nothing to encode. */
function absenceTests(
  field: Field,
  value: string,
  isEncoded: boolean,
): readonly string[] {
  const { isNullable, isOptional, jsonName } = field;
  // What every object inherits is not a value of the field.
  const isOwn = `!Object.hasOwn(value, ${quoteString(jsonName)})`;
  const hides = isOptional && isInherited(jsonName);
  if (!isEncoded) return hides ? [isOwn] : [];
  return [
    ...(hides ? [isOwn] : []),
    ...(isOptional ? [`${value} === undefined`] : []),
    ...(isNullable ? [`${value} === null`] : []),
  ];
}

/** A value of a type, encoded. */
function encodedBy(
  context: CodecContext,
  reference: TypeReference,
  value: Doc,
): Doc {
  return context.conversions.copies(reference)
    ? convertedBy(context, "encode", encoderName, reference, value)
    : value;
}

/** Function that encodes a type; null for lists and maps, which have none. */
function encoderName(
  { conversions, imports, index, layout }: CodecContext,
  reference: TypeReference,
): string | null {
  const leaf = conversions.leaf(reference);
  if (leaf !== null) {
    return leaf.encode === null ? null : imports.runtime("codec", leaf.encode);
  }
  const resolved = index.resolve(reference);
  if (resolved.kind !== "reference") return null;
  const unit = layout.unitOfType(resolved.name);
  const name = `encode${layout.names.type(resolved.name)}`;
  return imports.generated(unit, "codecs", name);
}
