import type { Alphabet } from "../../pattern/alphabet.js";
import { createAlphabet, isPlain } from "../../pattern/alphabet.js";
import { findDoubling, findPassage } from "./ambiguity.js";
import type { Automaton } from "./automaton.js";
import { buildAutomaton } from "./automaton.js";
import type { Loop } from "./loops.js";
import { findLoops } from "./loops.js";
import type { Pattern } from "../../pattern/pattern.js";
import { isAnchoredAtEnd } from "../../pattern/pattern.js";
import { parsePattern } from "../../pattern/parse-pattern.js";
import type { Budget, SetSequence } from "./search.js";

/** How the time of a match that fails grows with the length of the text. */
export type Verdict =
  | { readonly kind: "fast" }
  /** Each repetition of `repeated` doubles it; null: nothing to show. */
  | { readonly kind: "exponential"; readonly repeated: string | null }
  /** It grows with this power of the length, up to so many steps in all. */
  | {
      readonly kind: "polynomial";
      readonly power: number;
      readonly steps: number;
      readonly repeated: string | null;
    }
  /** The expression is too large to tell. */
  | { readonly kind: "unclear" };

const maxSteps = 1_000_000;
/** Higher powers are as bad. */
const maxPower = 20;
/** Longer texts explain nothing. */
const maxRepeated = 12;

/**
 * Tells how long a backtracking engine may take for an expression.
 * Input: an expression that the engine accepts, and the length of the longest
 * text that it is applied to, `Infinity` when there is none.
 */
export function judgePattern(source: string, maxLength: number): Verdict {
  const pattern = parsePattern(source);
  if (pattern === null) return { kind: "unclear" };
  const alphabet = createAlphabet(source);
  const budget = { steps: maxSteps };
  const parts = [pattern, ...findLooks(pattern)];
  return parts
    .map((part) => judgePart(part, alphabet, maxLength, budget))
    .reduce(worse);
}

const ranks = ["fast", "unclear", "polynomial", "exponential"];

function worse(a: Verdict, b: Verdict): Verdict {
  return ranks.indexOf(b.kind) > ranks.indexOf(a.kind) ? b : a;
}

/** What looks ahead or behind is matched on its own. */
function findLooks(pattern: Pattern): readonly Pattern[] {
  switch (pattern.kind) {
    case "look":
      return [pattern.item, ...findLooks(pattern.item)];
    case "repetition":
      return findLooks(pattern.item);
    case "sequence":
    case "choice":
      return pattern.items.flatMap(findLooks);
    case "boundary":
    case "character":
      return [];
  }
}

function judgePart(
  pattern: Pattern,
  alphabet: Alphabet,
  maxLength: number,
  budget: Budget,
): Verdict {
  const automaton = buildAutomaton(pattern, alphabet);
  if (automaton === null) return { kind: "unclear" };
  const canStop = !isAnchoredAtEnd(pattern);
  // Where a match may end after a loop, whatever follows, it does not fail.
  const loops = findLoops(automaton).filter(
    ({ states }) =>
      !canStop || ![...states].some((state) => automaton.last.has(state)),
  );
  for (const loop of loops) {
    const word = findDoubling(automaton, loop, budget);
    if (word) return { kind: "exponential", repeated: spell(word, alphabet) };
  }
  const verdict = judgeChains(automaton, loops, maxLength, alphabet, budget);
  const isUnfinished = verdict.kind === "fast" && budget.steps < 0;
  return isUnfinished ? { kind: "unclear" } : verdict;
}

/** The costliest way to get to a loop, itself included. */
interface Chain {
  readonly power: number;
  readonly steps: number;
  readonly word: SetSequence | null;
}

function judgeChains(
  automaton: Automaton,
  loops: readonly Loop[],
  maxLength: number,
  alphabet: Alphabet,
  budget: Budget,
): Verdict {
  const chains: { readonly loop: Loop; readonly chain: Chain }[] = [];
  // Later loops come first: what follows a loop is known when it is reached.
  for (const loop of loops) {
    if (chains.some(({ chain }) => chain.power === maxPower)) break;
    const length = Math.min(maxLength, loop.limit);
    let chain: Chain = { power: 1, steps: length, word: null };
    for (const after of chains) {
      if (after.chain.power < chain.power) continue;
      const word = findPassage(automaton, loop, after.loop, budget);
      if (word === null) continue;
      const { power, steps } = after.chain;
      chain = { power: power + 1, steps: steps * length, word };
    }
    chains.push({ loop, chain });
  }
  const worst = chains
    .map(({ chain }) => chain)
    .reduce((a, b) => (b.steps > a.steps || b.power > a.power ? b : a), {
      power: 0,
      steps: 0,
      word: null,
    });
  if (worst.power < 2 || worst.word === null) return { kind: "fast" };
  const { power, steps, word } = worst;
  return { kind: "polynomial", power, steps, repeated: spell(word, alphabet) };
}

function spell(word: SetSequence, { examples }: Alphabet): string | null {
  const letters = word.map((set) => examples(set)[0] ?? "");
  const isShown = letters.length <= maxRepeated && letters.every(isPlain);
  return isShown ? letters.join("") : null;
}
