import type { Alphabet } from "../../pattern/alphabet.js";
import { createAlphabet, isPlain } from "../../pattern/alphabet.js";
import { findDoubling, findPassage } from "./ambiguity.js";
import type { Automaton } from "./automaton.js";
import { buildAutomaton } from "./automaton.js";
import type { Loop } from "./loops.js";
import { findLoops } from "./loops.js";
import type { Pattern } from "../../pattern/pattern.js";
import { isAnchoredAtEnd, isAnchoredAtStart } from "../../pattern/pattern.js";
import { parsePattern } from "../../pattern/parse-pattern.js";
import type { Budget, SetSequence } from "./search.js";

/** How the time of a match that fails grows with the length of the text. */
export type Verdict =
  | { readonly kind: "fast" }
  /** Each repetition of `repeated` doubles it; null: nothing to show. */
  | { readonly kind: "exponential"; readonly repeated: string | null }
  | {
      readonly kind: "polynomial";
      /** It grows with this power of the length. */
      readonly power: number;
      /** The most steps in all. */
      readonly steps: number;
      /** The most steps for each character. */
      readonly stepsPerCharacter: number;
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
  const parts = [...listAlternatives(pattern), ...findLooks(pattern)];
  return parts
    .map((part) => judgePart(part, alphabet, maxLength, budget))
    .reduce(worse);
}

/**
 * The alternatives of an expression as they are searched for. One that is not
 * anchored is tried from every character on, as if anything stood before it.
 */
function listAlternatives(pattern: Pattern): readonly Pattern[] {
  if (pattern.kind === "choice") return pattern.items.flatMap(listAlternatives);
  if (isAnchoredAtStart(pattern)) return [pattern];
  return [{ kind: "sequence", items: [anything, pattern] }];
}

const anything: Pattern = {
  kind: "repetition",
  item: { kind: "character", text: "[^]" },
  min: 0,
  max: Infinity,
};

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

/** The costliest way from a loop on, through others. */
interface Chain {
  /** How often each loop of it is taken at most. */
  readonly lengths: readonly number[];
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
    if (chains.some(({ chain }) => chain.lengths.length === maxPower)) break;
    const length = Math.min(maxLength, loop.limit);
    let chain: Chain = { lengths: [length], word: null };
    for (const after of chains) {
      const lengths = [length, ...after.chain.lengths];
      if (!isWorse(lengths, chain.lengths)) continue;
      const word = findPassage(automaton, loop, after.loop, budget);
      if (word !== null) chain = { lengths, word };
    }
    chains.push({ loop, chain });
  }
  const { lengths, word } = chains
    .map(({ chain }) => chain)
    .reduce((a, b) => (isWorse(b.lengths, a.lengths) ? b : a), {
      lengths: [],
      word: null,
    });
  if (word === null) return { kind: "fast" };
  return {
    kind: "polynomial",
    power: lengths.length,
    steps: product(lengths),
    stepsPerCharacter: perCharacter(lengths),
    repeated: spell(word, alphabet),
  };
}

function isWorse(a: readonly number[], b: readonly number[]): boolean {
  const difference = perCharacter(a) - perCharacter(b);
  // Both may be infinite.
  return difference > 0 || (!(difference < 0) && a.length > b.length);
}

/** The longest loop takes the characters of the text; the others repeat that. */
function perCharacter(lengths: readonly number[]): number {
  return product([...lengths].sort((a, b) => a - b).slice(0, -1));
}

function product(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all * each, 1);
}

function spell(word: SetSequence, { examples }: Alphabet): string | null {
  const letters = word.map((set) => examples(set)[0] ?? "");
  const isShown = letters.length <= maxRepeated && letters.every(isPlain);
  return isShown ? letters.join("") : null;
}
