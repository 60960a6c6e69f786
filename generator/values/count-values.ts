import type { Constraints } from "../ir/contract.js";
import { type ScalarName, scalars } from "../ir/scalars.js";
import { compareTextSets } from "../pattern/compare-text-sets.js";
import { allowedAlong } from "./allowed-values.js";
import { floatsWithin } from "./choices.js";
import { integersWithin, lengthsOf, unlimited } from "./limits.js";

/**
 * Returns how many values of a core type are within limits. It is `Infinity` if
 * there are many or if that is unclear, and 0 if there are certainly none.
 */
export function countValues(
  name: ScalarName,
  limits: readonly Constraints[],
): number {
  const listed = allowedAlong(limits, "bigint");
  if (listed !== null) return listed.length;
  const { limits: kind, range, wire } = scalars[name];
  switch (kind) {
    case "number": {
      if (range === null && wire === "number") return countFloats(limits);
      const [first, last] = integersWithin(range ?? unlimited, limits);
      return Math.max(0, Number(last - first + 1n));
    }
    case "text":
      return countTexts(limits);
    case null:
      if (wire === "boolean") return 2;
      return wire === "null" ? 1 : Infinity;
  }
}

function countFloats(limits: readonly Constraints[]): number {
  const [least, most] = floatsWithin(limits);
  if (least > most) return 0;
  return least === most ? 1 : Infinity;
}

function countTexts(limits: readonly Constraints[]): number {
  const { max, min } = lengthsOf(limits);
  if (min > max) return 0;
  const patterns = limits.flatMap(({ pattern }) => pattern ?? []);
  const isLimited = min > 0 || max < Infinity;
  // A single pattern nearly always matches some text.
  if (patterns.length + (isLimited ? 1 : 0) < 2)
    return max === 0 ? 1 : Infinity;
  const nothing = { patterns: [], min: 1, max: 0 };
  const result = compareTextSets({ patterns, min, max }, nothing);
  return result.kind === "contained" ? 0 : Infinity;
}
