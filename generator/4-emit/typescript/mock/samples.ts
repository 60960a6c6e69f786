import type { Constraints } from "../../../ir/contract.js";
import { lengthsOf } from "../../../ir/limits.js";
import { variedTexts } from "../../../pattern/matching-texts.js";

/** Texts that code for a pattern or a format chooses from. */
const sampleCount = 8;

const addresses = ["amber", "birch", "coral", "delta", "ember", "flint"];

/**
 * Finds texts that keep to limits, or fewer than could be, or none.
 *
 * Input: the limits, those of a type and of the aliases that it stands for; how
 * many texts are enough.
 */
export function findSamples(
  limits: readonly Constraints[],
  count = sampleCount,
): readonly string[] {
  const fits = createTest(limits);
  const found = new Set<string>();
  for (const text of candidates(limits)) {
    if (fits(text)) found.add(text);
    if (found.size === count) break;
  }
  return [...found];
}

/** Tells whether a text keeps to all of the limits. */
export function createTest(
  limits: readonly Constraints[],
): (text: string) => boolean {
  const tests = limits.flatMap(({ pattern }) =>
    pattern === undefined ? [] : new RegExp(pattern, "u"),
  );
  const { max, min } = lengthsOf(limits);
  const isUrl = limits.some(({ format }) => format === "uri");
  return (text) => {
    const { length } = Array.from(text);
    return (
      length >= min &&
      length <= max &&
      (!isUrl || /^https?:\/\/[^\s\\/?#]+[^\s\\]*$/iu.test(text)) &&
      (!isUrl || URL.canParse(text)) &&
      tests.every((pattern) => pattern.test(text))
    );
  };
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
