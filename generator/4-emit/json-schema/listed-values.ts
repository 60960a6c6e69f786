import type { AllowedValue, Constraints } from "../../ir/contract.js";
import { isList, type JsonObject } from "../emitter/json-value.js";
import type { Dialect } from "./dialects.js";
import { exact } from "./integers-in-text.js";

/** Describes the only values. Some validators reject an empty `enum`. */
export function oneOfValues(values: readonly AllowedValue[]): JsonObject {
  const [only, ...others] = values;
  if (only === undefined) return { not: {} };
  return others.length === 0 ? { const: only } : { enum: values };
}

/** Replaces a list of values in limits by keywords of JSON Schema. */
export function withListKeywords({ enum: values, ...rest }: Constraints) {
  return values === undefined ? rest : { ...rest, ...oneOfValues(values) };
}

/**
 * Adds the only values to the schema of a core type. Integers that can also be
 * strings of digits have two forms.
 */
export function withValues(
  { format, type }: JsonObject,
  values: readonly AllowedValue[],
  { isRounded }: Dialect,
): JsonObject {
  const listed = isList(type)
    ? values.flatMap((value) => {
        const number = exact(BigInt(value));
        const isLost = isRounded && typeof number === "bigint";
        return [...(isLost ? [] : [number]), String(value)];
      })
    : values;
  return {
    type,
    ...(format !== undefined && { format }),
    ...oneOfValues(listed),
  };
}

/** Returns the integers whose decimal form is one of the strings. */
export function integersAmong(
  texts: readonly AllowedValue[],
  { isRounded }: Dialect,
): readonly (number | bigint)[] {
  return texts.flatMap((text) => {
    if (!/^(?:0|-?[1-9]\d*)$/u.test(String(text))) return [];
    const integer = exact(BigInt(text));
    return isRounded && typeof integer === "bigint" ? [] : integer;
  });
}

/** Returns a schema with a type that also allows null. */
export function orNullValue({
  const: only,
  enum: values,
  ...rest
}: JsonObject): JsonObject {
  const listed = isList(values) ? values : only === undefined ? null : [only];
  return listed === null ? rest : { ...rest, enum: [...listed, null] };
}
