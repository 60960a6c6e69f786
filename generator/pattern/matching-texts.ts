import { type Alphabet, createAlphabet } from "./alphabet.js";
import { parsePattern } from "./parse-pattern.js";
import type { Pattern } from "./pattern.js";

/** How a text is chosen of the many that an expression matches. */
interface Choice {
  readonly alphabet: Alphabet;
  /** Which alternative, and which character of a set; from the first again. */
  readonly pick: number;
  /** How often something is repeated, as far as it may be. */
  readonly times: number;
}

/** Longer ones nobody reads. */
const maxLength = 20_000;

/**
 * Texts that a regular expression may match, the simple ones first, some of them
 * about as long as is asked for. What it looks ahead or behind for is not heeded:
 * whoever needs a text that does match, has to try them.
 */
export function* matchingTexts(
  source: string,
  length: number,
): Generator<string, void, undefined> {
  const pattern = parsePattern(source);
  if (pattern === null) return;
  const alphabet = createAlphabet(source);
  for (const times of repetitions(length)) {
    for (let pick = 0; pick < 4; pick += 1) {
      const text = spell(pattern, { alphabet, pick, times });
      if (text !== null) yield text;
    }
  }
}

function* repetitions(length: number): Generator<number, void, undefined> {
  yield* [1, 0];
  for (let times = 2; times <= 16; times += 1) yield times;
  // Less what stands beside the repetition.
  for (let times = length; times > Math.max(16, length - 16); times -= 1) {
    yield times;
  }
}

function spell(pattern: Pattern, choice: Choice): string | null {
  const { alphabet, pick, times } = choice;
  switch (pattern.kind) {
    case "character": {
      const letters = alphabet.examples(alphabet.setOf(pattern.text));
      return letters[pick % letters.length] ?? null;
    }
    case "sequence": {
      const parts = pattern.items.map((item) => spell(item, choice));
      return parts.includes(null) ? null : parts.join("");
    }
    case "choice": {
      const item = pattern.items[pick % pattern.items.length];
      return item === undefined ? null : spell(item, choice);
    }
    case "repetition": {
      const count = Math.min(Math.max(times, pattern.min), pattern.max);
      const once = count === 0 ? "" : spell(pattern.item, choice);
      const isLong = once !== null && once.length * count > maxLength;
      return once === null || isLong ? null : once.repeat(count);
    }
    case "boundary":
    case "look":
      return "";
  }
}
