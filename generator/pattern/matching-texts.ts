import { type Alphabet, createAlphabet, isPlain } from "./alphabet.js";
import { parsePattern } from "./parse-pattern.js";
import type { Pattern } from "./pattern.js";

/** How a text is chosen of the many that an expression matches. */
interface Choice {
  readonly alphabet: Pick<Alphabet, "examples" | "setOf">;
  /** Which alternative, or which character of a set, of so many. */
  readonly pick: (count: number) => number;
  /** How often something is repeated, as far as it may be. */
  readonly times: () => number;
  /** Whether each repetition is spelled anew. */
  readonly isVaried: boolean;
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
      const text = spell(pattern, {
        alphabet,
        pick: (count) => pick % count,
        times: () => times,
        isVaried: false,
      });
      if (text !== null) yield text;
    }
  }
}

/** How often {@link variedTexts} tries. */
const attempts = 200;

/**
 * The same as people would write them: every character is drawn, and every
 * repetition differs. The same expression gives the same texts.
 */
export function* variedTexts(
  source: string,
  length: number,
): Generator<string, void, undefined> {
  const pattern = parsePattern(source);
  if (pattern === null) return;
  const alphabet = createReadableAlphabet(source);
  let state = 1;
  const pick = (count: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return (state >>> 8) % count;
  };
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const most = attempt % 2 === 0 ? 8 : Math.max(8, length);
    const times = () => (attempt % 4 === 3 ? length : pick(most) + 1);
    const text = spell(pattern, { alphabet, pick, times, isVaried: true });
    if (text !== null) yield text;
  }
}

/** Has only characters that people can read, where a set has any. */
function createReadableAlphabet(source: string): Choice["alphabet"] {
  const { examples, setOf } = createAlphabet(source);
  const known = new Map<bigint, readonly string[]>();
  const readable = (set: bigint): readonly string[] => {
    const all = examples(set);
    const plain = all.filter(isPlain);
    return plain.length > 0 ? plain : all;
  };
  return {
    setOf,
    examples: (set) => {
      const letters = known.get(set) ?? readable(set);
      known.set(set, letters);
      return letters;
    },
  };
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
      return letters[pick(letters.length)] ?? null;
    }
    case "sequence": {
      const parts = pattern.items.map((item) => spell(item, choice));
      return parts.includes(null) ? null : parts.join("");
    }
    case "choice": {
      const item = pattern.items[pick(pattern.items.length)];
      return item === undefined ? null : spell(item, choice);
    }
    case "repetition": {
      const count = Math.min(Math.max(times(), pattern.min), pattern.max);
      if (choice.isVaried) return spellEach(pattern.item, count, choice);
      const once = count === 0 ? "" : spell(pattern.item, choice);
      const isLong = once !== null && once.length * count > maxLength;
      return once === null || isLong ? null : once.repeat(count);
    }
    case "boundary":
    case "look":
      return "";
  }
}

function spellEach(
  item: Pattern,
  count: number,
  choice: Choice,
): string | null {
  let text = "";
  for (let index = 0; index < count; index += 1) {
    const once = spell(item, choice);
    if (once === null || text.length + once.length > maxLength) return null;
    text += once;
  }
  return text;
}
