import { convertedBy } from "../plan/convert.js";
import { readOf } from "../plan/field-access.js";
import type { Imports } from "../plan/imports.js";
import { declaredType } from "../plan/type-text.js";
import type { FieldPlan, ObjectPlan } from "../plan/plan.js";
import { buildFunction } from "../text/build.js";
import type { Structure } from "../text/structures.js";
import { typeText, type Doc } from "../text/format.js";
import { quoteIndex } from "../text/quote.js";
import { assignmentOf, ifOf, operandsOf } from "../text/shapes.js";

/**
 * `decodeX(value: unknown): X` for servers, which converts properties in place,
 * after a validator has seen them.
 */
export function decoderStatement(
  imports: Imports,
  object: ObjectPlan,
): Structure {
  const { fields, name } = object;
  const requireRecord = imports.runtime("codec", "requireRecord");
  const type = declaredType(imports, object);
  return buildFunction(
    [`Decodes a valid \`${name}\`; the value itself is changed.`],
    `decode${name}`,
    [{ name: "value", type: "unknown" }],
    type,
    [
      `const record = ${requireRecord}(value);`,
      ...fields.flatMap((field) => fieldStatements(imports, field)),
      ["return value", typeText(` as ${type}`), ";"],
    ],
  );
}

function fieldStatements(imports: Imports, plan: FieldPlan): readonly Doc[] {
  const { decode, field } = plan;
  if (decode === null) return [];
  const value = readOf(imports, "record", plan);
  const decoded = convertedBy(imports, "decode", decode, value);
  const target = `record${quoteIndex(field.jsonName)}`;
  const convert: Doc = [assignmentOf(target, decoded), ";"];
  const tests = [
    ...(field.isOptional ? [`${value} !== undefined`] : []),
    ...(field.isNullable ? [`${value} !== null`] : []),
  ];
  return [tests.length > 0 ? ifOf(operandsOf("&&", tests), convert) : convert];
}
