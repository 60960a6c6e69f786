import { convertedBy } from "../plan/convert.js";
import { readOf } from "../plan/field-access.js";
import type { Imports } from "../plan/imports.js";
import { declaredType } from "../plan/type-text.js";
import type { FieldPlan, ObjectPlan } from "../plan/plan.js";
import { buildFunction } from "../text/build.js";
import type { Structure } from "../text/structures.js";
import { typeText, type Doc } from "../text/format.js";
import { quoteAccess, quoteString } from "../text/quote.js";
import {
  afterOperator,
  conditionalOf,
  ifOf,
  keyedOf,
  linesObjectOf,
} from "../text/shapes.js";

/**
 * `encodeX(value: X): unknown`, which writes a copy property by property: that
 * is faster than spreading. What is the same in both forms stands in it as it
 * is; what is no object at all is left for the validator to report.
 */
export function encoderStatement(
  imports: Imports,
  object: ObjectPlan,
): Structure {
  const { fields, name } = object;
  const type = declaredType(imports, object);
  const isRecord = imports.runtime("validation", "isRecord");
  const entries = fields.map((field) => entryOf(imports, field));
  // TypeScript would take the guard's type for the value's, at some cost.
  const test = [`!${isRecord}(value`, typeText(" as unknown"), ")"];
  return buildFunction(
    [`Writes \`${name}\` as a copy.`],
    `encode${name}`,
    [{ name: "value", type }],
    "unknown",
    [ifOf(test, "return value;"), ["return ", linesObjectOf(entries), ";"]],
  );
}

function entryOf(imports: Imports, plan: FieldPlan): Doc {
  const { encode, field } = plan;
  const { isNullable, jsonName } = field;
  const value = `value${quoteAccess(jsonName)}`;
  const present =
    encode === null ? value : convertedBy(imports, "encode", encode, value);
  const absent = absenceTests(plan, value);
  if (absent.length === 0) {
    return keyedOf(jsonName, (key) =>
      encode === null
        ? afterOperator(`${key}:`, present)
        : [`${key}: `, present],
    );
  }
  const isHidden = hidesInherited(plan);
  const nothing = isNullable ? nullOf(imports, plan) : "undefined";
  const chosen = conditionalOf(absent.join(" || "), nothing, present);
  // Only a comparison goes to the next line as a whole.
  const isBeside = absent.length === 1 && isHidden;
  return keyedOf(jsonName, (key) =>
    isBeside ? [`${key}: `, chosen] : afterOperator(`${key}:`, chosen),
  );
}

/** Null or, where the field is optional, nothing. */
function nullOf(imports: Imports, plan: FieldPlan): string {
  return hidesInherited(plan)
    ? readOf(imports, "value", plan)
    : `value${quoteAccess(plan.field.jsonName)}`;
}

/** Whether what every object inherits would be taken for the field. */
function hidesInherited({ field, isInherited }: FieldPlan): boolean {
  return field.isOptional && isInherited;
}

/** Tests that say that there is nothing to encode. */
function absenceTests(plan: FieldPlan, value: string): readonly string[] {
  const { isNullable, isOptional, jsonName } = plan.field;
  const inherited = hidesInherited(plan)
    ? [`!Object.hasOwn(value, ${quoteString(jsonName)})`]
    : [];
  if (plan.encode === null) return inherited;
  return [
    ...inherited,
    ...(isOptional ? [`${value} == null`] : []),
    ...(isNullable && !isOptional ? [`${value} === null`] : []),
  ];
}
