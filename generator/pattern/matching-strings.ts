import { type Alphabet, createAlphabet, isPlain } from "./alphabet.js";
import { parsePattern } from "./parse-pattern.js";
import type { Pattern } from "./pattern.js";

/** Chooses one of the many strings that an expression matches. */
interface Choice {
  readonly alphabet: Pick<Alphabet, "examples" | "setOf">;
  /** Chooses an alternative, or a character of a set, by index. */
  readonly pick: (count: number) => number;
  /** Chooses the number of repetitions, which the limits then clamp. */
  readonly times: () => number;
  /** Whether each repetition is generated separately. */
  readonly isVaried: boolean;
  /** Remaining steps. Repetitions of empty parts do not lengthen a string. */
  readonly budget: { steps: number };
}

/** Maximum number of steps for all strings of an expression. */
const maxSteps = 500_000;

/** Longer strings are hard to read. */
const maxLength = 20_000;

/**
 * Generates strings that a regular expression can match, simple ones first.
 * Lookarounds and boundaries are ignored, so test each string.
 */
export function* matchingStrings(
  source: string,
  length: number,
): Generator<string, void, undefined> {
  const pattern = parsePattern(source);
  if (pattern === null) return;
  const alphabet = createAlphabet(source);
  const budget = { steps: maxSteps };
  for (const times of repetitions(length)) {
    for (let pick = 0; pick < 4; pick += 1) {
      const text = spell(pattern, {
        alphabet,
        pick: (count) => pick % count,
        times: () => times,
        isVaried: false,
        budget,
      });
      if (text !== null) yield text;
    }
  }
}

/** Number of strings that {@link variedTexts} tries. */
const attempts = 200;

/**
 * Generates strings that look as if people wrote them. The same expression
 * always produces the same strings.
 */
export function* variedTexts(
  source: string,
  length: number,
): Generator<string, void, undefined> {
  const pattern = parsePattern(source);
  if (pattern === null) return;
  const alphabet = createReadableAlphabet(source);
  const budget = { steps: maxSteps };
  let state = 1;
  const pick = (count: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return (state >>> 8) % count;
  };
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const maxCount = attempt % 2 === 0 ? 8 : Math.max(8, length);
    const times = () => (attempt % 4 === 3 ? length : pick(maxCount) + 1);
    const isVaried = true;
    const text = spell(pattern, { alphabet, pick, times, isVaried, budget });
    if (text !== null) yield text;
  }
}

/** Limits each set to its readable characters, if it has any. */
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
  // Leave room for what surrounds the repetition.
  for (let times = length; times > Math.max(16, length - 16); times -= 1) {
    yield times;
  }
}

function spell(pattern: Pattern, choice: Choice): string | null {
  const { alphabet, budget, pick, times } = choice;
  if (--budget.steps < 0) return null;
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
