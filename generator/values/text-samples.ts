import type { Constraints } from "../ir/contract.js";
import { formats, words } from "../ir/text-rule.js";
import { type ScalarName, scalars } from "../ir/scalars.js";
import { variedTexts } from "../pattern/matching-strings.js";
import { countRange } from "./ranges.js";
import { lengthsOf, textTest } from "./limits.js";

/** Number of strings to draw from for a pattern, a format or a core type. */
const sampleCount = 8;

/** Default maximum length. Longer strings are hard to read. */
const defaultMaxLength = 24;

/** Strings from which a value of a core type can be drawn. */
export type TextSamples =
  | { readonly kind: "texts"; readonly texts: readonly string[] }
  /** Any words with a total length in a range. */
  | { readonly kind: "words"; readonly range: readonly [number, number] };

/**
 * Finds distinct strings for a core type within limits, at most `count` unless
 * values are known.
 *
 * Input: the limits of a type and of the aliases that it refers to, and the
 * values that are known, if any.
 */
export function findTexts(
  name: ScalarName,
  limits: readonly Constraints[],
  known: readonly string[] | null,
  count = sampleCount,
): TextSamples {
  const fits = textTest(limits);
  const found = new Set((known ?? []).filter(fits));
  for (const text of known === null ? candidates(name, limits) : []) {
    if (found.size === count) break;
    if (fits(text)) found.add(text);
  }
  if (found.size > 0) return { kind: "texts", texts: [...found] };
  const { max, min } = lengthsOf(limits);
  return { kind: "words", range: countRange(min, max, defaultMaxLength) };
}

function* candidates(
  name: ScalarName,
  limits: readonly Constraints[],
): Generator<string> {
  const { max, min } = lengthsOf(limits);
  for (const { pattern } of limits) {
    if (pattern === undefined) continue;
    yield* variedTexts(pattern, Math.max(min, Math.min(max, 16)));
  }
  const given = limits.flatMap(({ format }) =>
    format === undefined ? [] : formats[format],
  );
  const { text: own } = scalars[name];
  const rules = own === null ? given : [own, ...given];
  for (const { draw } of rules) {
    for (let seed = 0; seed < 3 * words.length; seed += 1) {
      yield draw(seed).padEnd(min, "-x").slice(0, max);
    }
  }
}

/** Joins words to a text with a length in a range. */
export function joinWords([min, max]: readonly [number, number]): string {
  let text = words.join(" ");
  while (text.length < min) text += ` ${text}`;
  const end = text.indexOf(" ", min);
  return text.slice(0, Math.min(max, end === -1 ? max : end));
}
