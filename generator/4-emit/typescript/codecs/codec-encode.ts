import type { Field, TypeReference } from "../../../ir/contract.js";
import type { CodecContext, CodecSubject } from "./codec-context.js";
import { convertedBy } from "./converted-by.js";
import { isInherited, readOf } from "../validators/field-access.js";
import { buildFunction } from "../text/build.js";
import { typeText, type Doc } from "../text/format.js";
import { quoteAccess, quoteString } from "../text/quote.js";
import {
  afterOperator,
  callOf,
  conditionalOf,
  ifOf,
  keyedOf,
  linesObjectOf,
} from "../text/shapes.js";
import type { Declared } from "../text/declare.js";

/**
 * `encodeX(value: X): unknown`, which writes a copy property by property: that
 * is faster than spreading. What is the same in both forms stands in it as it
 * is; what is no object at all is left for the validator to report.
 */
export function encoderStatement(
  context: CodecContext,
  { name, fields }: CodecSubject,
): Declared {
  const { imports, unit } = context;
  const type = imports.generatedType(unit, "types", name);
  const isRecord = imports.runtime("validation", "isRecord");
  const entries = fields.map((field) => entryOf(context, field));
  // TypeScript would take the guard's type for the value's, at some cost.
  const test = [`!${isRecord}(value`, typeText(" as unknown"), ")"];
  return buildFunction(
    imports,
    [`Writes \`${name}\` as a copy.`],
    `encode${name}`,
    [{ name: "value", type }],
    "unknown",
    [ifOf(test, "return value;"), ["return ", linesObjectOf(entries), ";"]],
  );
}

function entryOf(context: CodecContext, field: Field): Doc {
  const { conversions, imports } = context;
  const value = `value${quoteAccess(field.jsonName)}`;
  const leaf = conversions.leaf(field);
  const encode = leaf === null ? null : leaf.encode;
  const isEncoded =
    encode !== null ||
    (leaf === null && conversions.reference(field.type).encodes);
  const encoded = (): Doc =>
    encode !== null
      ? callOf(imports.runtime("codec", encode), [value])
      : encodedBy(context, field.type, value);
  const present = isEncoded ? encoded() : value;
  const absent = absenceTests(field, value, isEncoded);
  if (absent.length === 0) {
    return keyedOf(field.jsonName, (key) =>
      isEncoded ? [`${key}: `, present] : afterOperator(`${key}:`, present),
    );
  }
  const nothing = field.isNullable ? nullOf(context, field) : "undefined";
  const chosen = conditionalOf(absent.join(" || "), nothing, present);
  // Only a comparison goes to the next line as a whole.
  const isBeside = absent.length === 1 && hidesInherited(field);
  return keyedOf(field.jsonName, (key) =>
    isBeside ? [`${key}: `, chosen] : afterOperator(`${key}:`, chosen),
  );
}

/** Null or, where the field is optional, nothing. */
function nullOf({ imports }: CodecContext, field: Field): string {
  return hidesInherited(field)
    ? readOf(imports, "value", field.jsonName)
    : `value${quoteAccess(field.jsonName)}`;
}

/** Whether what every object inherits would be taken for the field. */
function hidesInherited({ isOptional, jsonName }: Field): boolean {
  return isOptional && isInherited(jsonName);
}

/** Tests that say that there is nothing to encode. */
function absenceTests(
  field: Field,
  value: string,
  isEncoded: boolean,
): readonly string[] {
  const { isNullable, isOptional, jsonName } = field;
  const inherited = hidesInherited(field)
    ? [`!Object.hasOwn(value, ${quoteString(jsonName)})`]
    : [];
  if (!isEncoded) return inherited;
  return [
    ...inherited,
    ...(isOptional ? [`${value} == null`] : []),
    ...(isNullable && !isOptional ? [`${value} === null`] : []),
  ];
}

/** A value of a type, encoded. */
function encodedBy(
  context: CodecContext,
  reference: TypeReference,
  value: Doc,
): Doc {
  return context.conversions.reference(reference).encodes
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
