import { matchingTexts } from "../../pattern/matching-texts.js";
import type { Pair } from "./pairing.js";
import { fitsLimits } from "./sets.js";
import type { WireValue } from "./value.js";

/**
 * A text that fits the value of before, which has patterns, and not that of after;
 * null when none is found.
 */
export function findMisfit({ before, after }: Pair<WireValue>): string | null {
  const longest = after.layers.map(
    ({ constraints: { maxLength = 0 } }) => maxLength + 1,
  );
  for (const pattern of patternsOf(before)) {
    for (const text of matchingTexts(pattern, Math.max(...longest))) {
      if (fitsLimits(text, before) && !fitsLimits(text, after)) return text;
    }
  }
  return null;
}

/** Whether there is such a text: certain without patterns, else one is needed. */
export function isMisfitCertain(pair: Pair<WireValue>): boolean {
  return patternsOf(pair.before).length === 0 || findMisfit(pair) !== null;
}

function patternsOf({ layers }: WireValue): readonly string[] {
  return layers.flatMap(({ constraints }) => constraints.pattern ?? []);
}
