import type { Field, TypeReference } from "../../../ir/contract.js";
import type { CodecContext, CodecSubject } from "./codec-context.js";
import { convertedBy } from "./converted-by.js";
import { buildFunction } from "../text/build.js";
import { typeText, type Doc } from "../text/format.js";
import { readOf } from "../validators/field-access.js";
import { quoteIndex } from "../text/quote.js";
import { assignmentOf, callOf, ifOf, operandsOf } from "../text/shapes.js";
import type { Declared } from "../text/declare.js";

/**
 * `decodeX(value: unknown): X` for servers, which converts properties in place,
 * after a validator has seen them.
 */
export function decoderStatement(
  context: CodecContext,
  { name, fields }: CodecSubject,
): Declared {
  const { imports, unit } = context;
  const isRecord = imports.runtime("validation", "isRecord");
  const type = imports.generatedType(unit, "types", name);
  return buildFunction(
    imports,
    [`Decodes a valid \`${name}\`; the value itself is changed.`],
    `decode${name}`,
    [{ name: "value", type: "unknown" }],
    type,
    [
      ifOf(`!${isRecord}(value)`, `throw new TypeError("expected an object");`),
      ...fields.flatMap((field) => fieldStatements(context, field)),
      ["return value", typeText(` as unknown as ${type}`), ";"],
    ],
  );
}

function fieldStatements(context: CodecContext, field: Field): readonly Doc[] {
  const { conversions, imports } = context;
  const leaf = conversions.leaf(field);
  const isConverted =
    leaf === null
      ? conversions.reference(field.type).decodes
      : leaf.decode !== null;
  if (!isConverted) return [];
  const value = readOf(imports, "value", field.jsonName);
  const decoded =
    leaf?.decode != null
      ? callOf(imports.runtime("codec", leaf.decode), [value])
      : decodedBy(context, field.type, value);
  const target = `value${quoteIndex(field.jsonName)}`;
  const convert: Doc = [assignmentOf(target, decoded), ";"];
  const tests = [
    ...(field.isOptional ? [`${value} !== undefined`] : []),
    ...(field.isNullable ? [`${value} !== null`] : []),
  ];
  return [tests.length > 0 ? ifOf(operandsOf("&&", tests), convert) : convert];
}

/** A value of a type, decoded. */
function decodedBy(
  context: CodecContext,
  reference: TypeReference,
  value: Doc,
): Doc {
  return convertedBy(context, "decode", decoderName, reference, value);
}

/** Function that decodes a type; null for lists and maps, which have none. */
function decoderName(
  { conversions, imports, index, layout }: CodecContext,
  reference: TypeReference,
): string | null {
  const leaf = conversions.leaf(reference);
  if (leaf?.decode != null) return imports.runtime("codec", leaf.decode);
  const resolved = index.resolve(reference);
  if (resolved.kind !== "reference") return null;
  const unit = layout.unitOfType(resolved.name);
  const name = `decode${layout.names.type(resolved.name)}`;
  return imports.generated(unit, "codecs", name);
}
