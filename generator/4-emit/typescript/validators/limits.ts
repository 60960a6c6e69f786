import type { Constraints, ScalarName } from "../../../ir/contract.js";
import { isBoundToSafe } from "../../../values/limits.js";
import {
  isIntegerName,
  isWideInteger,
  scalars,
  wireRange,
} from "../../../ir/scalars.js";
import { quoteNumber } from "../text/quote.js";
import { hoistPattern, type ValidatorContext } from "./context.js";

/** Returns conditions for the limits on a value of a core type. */
export function limitConditions(
  context: ValidatorContext,
  limits: Constraints,
  name: ScalarName,
  owner: string,
  value: string,
): readonly string[] {
  if (scalars[name].wire !== "string") {
    return rangeConditions(withoutImplied(limits, name), value);
  }
  const conditions = textConditions(context, limits, owner, value);
  return [...conditions, ...rangeConditions(limits, `BigInt(${value})`)];
}

/** Returns conditions for the number of bytes in the base64 text `value`. */
export function bytesConditions(
  context: ValidatorContext,
  { minItems = 0, maxItems }: Constraints,
): readonly string[] {
  const length = () =>
    `${context.imports.runtime("codegen/checks", "byteLengthOf")}(value)`;
  if (minItems === maxItems) return [`${length()} === ${minItems}`];
  return [
    ...(minItems > 0 ? [`${length()} >= ${minItems}`] : []),
    ...(maxItems === undefined ? [] : [`${length()} <= ${maxItems}`]),
  ];
}

function textConditions(
  context: ValidatorContext,
  { minLength = 0, maxLength, pattern }: Constraints,
  owner: string,
  value: string,
): readonly string[] {
  const conditions: string[] = [];
  if (minLength === 1 && maxLength === undefined) {
    conditions.push(`${value} !== ""`);
  } else if (minLength > 0 || maxLength !== undefined) {
    const isWithin = context.imports.runtime("validation", "isLengthWithin");
    const limits = `${minLength}, ${maxLength ?? "Infinity"}`;
    conditions.push(`${isWithin}(${value}, ${limits})`);
  }
  if (pattern !== undefined) {
    conditions.push(`${hoistPattern(context, owner, pattern)}.test(${value})`);
  }
  return conditions;
}

/** Removes limits that the predicate of the core type already checks. */
function withoutImplied(limits: Constraints, name: ScalarName): Constraints {
  if (!isIntegerName(name)) return limits;
  const isWide = isWideInteger(name) && !isBoundToSafe(name, limits);
  const [least, most] = wireRange(name, isWide ? "bigint" : "number");
  const { maximum = most, minimum = least } = limits;
  return {
    ...(minimum > least ? { minimum } : {}),
    ...(maximum < most ? { maximum } : {}),
  };
}

function rangeConditions(
  { minimum, maximum }: Constraints,
  value: string,
): readonly string[] {
  return [
    ...(minimum === undefined ? [] : [`${value} >= ${quoteNumber(minimum)}`]),
    ...(maximum === undefined ? [] : [`${value} <= ${quoteNumber(maximum)}`]),
  ];
}
