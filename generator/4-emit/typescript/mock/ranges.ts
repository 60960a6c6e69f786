import type { Constraints, ScalarName } from "../../../ir/contract.js";
import { integersWithin } from "../../../ir/limits.js";
import { scalars } from "../../../ir/scalars.js";

/** The smallest and the largest number that is drawn. */
export type Range<N> = readonly [from: N, to: N];

/** How far apart they are if nothing limits them: people see more in small numbers. */
const width = 1000;

/** An integer that has no range of its own. */
const unlimited = [-(2n ** 1024n), 2n ** 1024n] as const;

/** Which integers are drawn: small ones, and positive ones if there are enough. */
export function integerRange(
  limits: Constraints,
  name: ScalarName,
): Range<bigint> {
  const range = scalars[name].range ?? unlimited;
  const [low, high] = integersWithin(range, [limits]);
  const most = BigInt(width);
  if (high - low <= most) return [low, high];
  const from = low > 0n ? low : high < most ? high - most : 0n;
  return [from, from + most];
}

/** Which numbers with fractions are drawn. */
export function floatRange({ maximum, minimum }: Constraints): Range<number> {
  const low = Number(minimum ?? -Infinity);
  const high = Number(maximum ?? Infinity);
  if (high - low <= width) return [low, high];
  const from = low > 0 ? low : high < width ? high - width : 0;
  return [from, from + width];
}

/** How many characters or items are drawn, at least one if there may be one. */
export function countRange(
  min: number,
  max: number,
  usual: number,
): Range<number> {
  const most = Math.max(min, Math.min(max, usual));
  return [Math.max(min, Math.min(1, most)), most];
}
