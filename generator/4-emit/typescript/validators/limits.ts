import type { Constraints, ScalarName } from "../../../ir/contract.js";
import { scalars } from "../../../ir/scalars.js";
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
    `${context.imports.runtime("validation", "byteLengthOf")}(value)`;
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
function withoutImplied(
  { minimum, maximum }: Constraints,
  name: ScalarName,
): Constraints {
  const largest = Number.MAX_SAFE_INTEGER;
  const { range } = scalars[name];
  const isInteger = range !== null;
  const isUnsigned = isInteger && range[0] === 0n;
  const isLow = minimum !== undefined && minimum >= -largest;
  const isHigh = maximum !== undefined && maximum <= largest;
  const impliesLow = isUnsigned
    ? minimum !== undefined && minimum <= 0
    : isHigh && minimum === -largest;
  const impliesHigh = maximum === largest && (isUnsigned || isLow);
  const namesMinimum = minimum !== undefined && !(isInteger && impliesLow);
  const namesMaximum = maximum !== undefined && !(isInteger && impliesHigh);
  return {
    ...(namesMinimum ? { minimum } : {}),
    ...(namesMaximum ? { maximum } : {}),
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
