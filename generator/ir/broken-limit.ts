import type { AllowedValue, Constraints } from "./contract.js";
import { formats } from "./text-rule.js";

/**
 * Returns the name of a limit that a string, number or boolean is not within,
 * or null if it is within all limits. Of text, `minimum` and `maximum` limit
 * the integer in it.
 */
export function findBrokenLimit(
  value: AllowedValue,
  limits: Constraints,
): keyof Constraints | null {
  const { enum: allowed, maximum, minimum } = limits;
  if (allowed?.includes(value) === false) return "enum";
  const isText = typeof value === "string";
  const number = () => (isText ? BigInt(value) : Number(value));
  if (minimum !== undefined && number() < minimum) return "minimum";
  if (maximum !== undefined && number() > maximum) return "maximum";
  return isText ? findBrokenTextLimit(value, limits) : null;
}

function findBrokenTextLimit(
  text: string,
  { format, maxLength = Infinity, minLength = 0, pattern }: Constraints,
): keyof Constraints | null {
  const { length } = Array.from(text);
  if (length < minLength) return "minLength";
  if (length > maxLength) return "maxLength";
  if (format !== undefined && !formats[format].fits(text)) return "format";
  if (pattern === undefined) return null;
  return new RegExp(pattern, "u").test(text) ? null : "pattern";
}
