import { matchingStrings } from "../../pattern/matching-strings.js";
import type { Pair } from "./pairing.js";
import { fitsLimits } from "./sets.js";
import type { WireValue } from "./value.js";

/**
 * Finds a string that is valid for the old value, which has patterns, but not
 * for the new one. Returns null if it finds none.
 */
export function findCounterexample({
  before,
  after,
}: Pair<WireValue>): string | null {
  const longest = after.layers.map(
    ({ constraints: { maxLength = 0 } }) => maxLength + 1,
  );
  for (const pattern of patternsOf(before)) {
    for (const text of matchingStrings(pattern, Math.max(...longest))) {
      if (fitsLimits(text, before) && !fitsLimits(text, after)) return text;
    }
  }
  return null;
}

/**
 * Whether such a string certainly exists. With patterns, this requires an
 * example.
 */
export function hasCounterexample(pair: Pair<WireValue>): boolean {
  return (
    patternsOf(pair.before).length === 0 || findCounterexample(pair) !== null
  );
}

function patternsOf({ layers }: WireValue): readonly string[] {
  return layers.flatMap(({ constraints }) => constraints.pattern ?? []);
}
