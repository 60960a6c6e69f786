import type { Constraints } from "../../../ir/contract.js";
import { lengthsOf, textTest } from "../../../ir/limits.js";
import { variedTexts } from "../../../pattern/matching-strings.js";

/** Number of strings to draw from for a pattern or a format. */
const sampleCount = 8;

const addresses = ["amber", "birch", "coral", "delta", "ember", "flint"];

/**
 * Finds distinct strings within the limits. There can be fewer than requested,
 * or none.
 *
 * Input: the limits of a type and of the aliases that it refers to, and the
 * number of strings to find.
 */
export function findSamples(
  limits: readonly Constraints[],
  count = sampleCount,
): readonly string[] {
  const fits = textTest(limits);
  const found = new Set<string>();
  for (const text of candidates(limits)) {
    if (fits(text)) found.add(text);
    if (found.size === count) break;
  }
  return [...found];
}

function* candidates(limits: readonly Constraints[]): Generator<string> {
  const { max, min } = lengthsOf(limits);
  for (const { pattern } of limits) {
    if (pattern === undefined) continue;
    yield* variedTexts(pattern, Math.max(min, Math.min(max, 16)));
  }
  if (!limits.some(({ format }) => format === "uri")) return;
  for (const base of ["https://example.com/", "https://a.io/", "http://"]) {
    for (const word of addresses) {
      yield `${base}${word}`.padEnd(min, "-x").slice(0, max);
    }
  }
}
