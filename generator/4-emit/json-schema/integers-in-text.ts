import type { Constraints } from "../../ir/contract.js";

/**
 * Returns the range of the integers whose decimal form satisfies limits on
 * strings, or null if they do not form a range or cannot be determined.
 *
 * Example: 100 to 999 for `^[0-9]+$` with a length of 3.
 */
export function integersInText(
  limits: readonly Constraints[],
): Constraints | null {
  let [isSigned, least, most, longest] = [true, 1, Infinity, Infinity];
  for (const { format, maxLength, minLength = 0, pattern } of limits) {
    const digits = digitsOf(pattern);
    if (format !== undefined || digits === null) return null;
    isSigned &&= digits.isSigned;
    least = Math.max(least, minLength, digits.least);
    most = Math.min(most, digits.most);
    longest = Math.min(longest, maxLength ?? Infinity);
  }
  if (Math.min(most, longest) < 1) return null;
  // Short numbers are between the long negative and the long positive ones.
  if (isSigned && least > 1) return null;
  const below = isSigned ? ends(Math.min(most, longest - 1)) : null;
  const above = ends(Math.min(most, longest));
  return {
    ...(isSigned
      ? below !== null && { minimum: exact(-below) }
      : { minimum: exact(least > 1 ? 10n ** BigInt(least - 1) : 0n) }),
    ...(above !== null && { maximum: exact(above) }),
  };
}

/** The number of digits that a pattern allows. */
interface Digits {
  readonly isSigned: boolean;
  readonly least: number;
  readonly most: number;
}

/** Returns null for patterns other than those like `^-?[0-9]{1,78}$`. */
function digitsOf(pattern: string | undefined): Digits | null {
  if (pattern === undefined)
    return { isSigned: true, least: 1, most: Infinity };
  const found =
    /^\^(-\?)?(?:\[0-9\]|\\d)(?:([*+])|\{(\d+)(,?)(\d*)\})?\$$/u.exec(pattern);
  if (found === null) return null;
  const [, sign, repeated, from = "1", comma, to] = found;
  const end = comma ? to || Infinity : from;
  return {
    isSigned: sign !== undefined,
    least: Number(from),
    most: repeated === undefined ? Number(end) : Infinity,
  };
}

/**
 * Returns the largest integer with this number of digits, or null if it exceeds
 * the range of a double, the type of numbers in most JSON parsers.
 */
function ends(digits: number): bigint | null {
  return digits > 308 ? null : 10n ** BigInt(Math.max(digits, 0)) - 1n;
}

/** Converts the value to a number if that is exact. */
export function exact(value: bigint): bigint | number {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}
