import type { Constraints, ScalarName } from "../ir/contract.js";
import { integersWithin } from "./limits.js";
import { scalars } from "../ir/scalars.js";

/** The smallest and the largest number to draw. */
export type Range<N> = readonly [from: N, to: N];

/** Maximum width of the range. Small numbers are easier to read. */
const width = 1000;

/** The range of an integer type that has none of its own. */
export const unlimited = [-(2n ** 1024n), 2n ** 1024n] as const;

/** Returns the range of integers to draw: small and positive if possible. */
export function integerRange(
  limits: readonly Constraints[],
  name: ScalarName,
): Range<bigint> {
  const range = scalars[name].range ?? unlimited;
  const [low, high] = integersWithin(range, limits);
  const most = BigInt(width);
  if (high - low <= most) return [low, high];
  const from = low > 0n ? low : high < most ? high - most : 0n;
  return [from, from + most];
}

/** Returns the range of floating-point numbers to draw. */
export function floatRange({ maximum, minimum }: Constraints): Range<number> {
  const low = Number(minimum ?? -Infinity);
  const high = Number(maximum ?? Infinity);
  if (high - low <= width) return [low, high];
  const from = low > 0 ? low : high < width ? high - width : 0;
  return [from, from + width];
}

/** Returns the floating-point number within limits that is nearest to another. */
export function clampToFloats(
  value: number,
  limits: readonly Constraints[],
): number {
  return limits.reduce(
    (nearest, { maximum = Infinity, minimum = -Infinity }) =>
      Math.min(Math.max(nearest, Number(minimum)), Number(maximum)),
    value,
  );
}

/**
 * Returns the minimum and maximum number of characters or items to draw. The
 * minimum is at least one if that is allowed.
 */
export function countRange(
  min: number,
  max: number,
  usual: number,
): Range<number> {
  const most = Math.max(min, Math.min(max, usual));
  return [Math.max(min, Math.min(1, most)), most];
}
