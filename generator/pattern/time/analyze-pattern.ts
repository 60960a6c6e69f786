import { type Alphabet, createAlphabet, isPlain } from "../alphabet.js";
import {
  type Automaton,
  buildAutomaton,
  findLoops,
  type Loop,
} from "./automaton.js";
import { countSteps } from "./count-steps.js";
import {
  type Pattern,
  isAnchoredAtEnd,
  isAnchoredAtStart,
  longestMatch,
  reverse,
} from "../pattern.js";
import { parsePattern } from "../parse-pattern.js";
import {
  type Budget,
  type SetSequence,
  type FoundString,
  findString,
} from "./search.js";

/** How the time of a failing match grows with the length of the string. */
export type PatternAnalysis =
  | { readonly kind: "fast" }
  /**
   * Each repetition of `repeated` doubles the time. `repeated` is null if there
   * is no example.
   */
  | { readonly kind: "exponential"; readonly repeated: string | null }
  | {
      readonly kind: "polynomial";
      /** The time grows with this power of the length. */
      readonly power: number;
      readonly steps: number;
      readonly stepsPerCharacter: number;
      readonly repeated: string | null;
    }
  /** Counts such as `{1,9}` have too many paths together. */
  | { readonly kind: "many-paths" }
  /** The expression is too large to analyze. */
  | { readonly kind: "unclear" };

const maxSteps = 1_000_000;
/** Higher powers are not distinguished. */
const maxPower = 20;
/** Longer examples are not helpful. */
const maxRepeated = 12;

/**
 * Estimates how long a backtracking engine can take for an expression. Input: a
 * valid expression, and the maximum length of its input, or `Infinity`.
 */
export function analyzePattern(
  source: string,
  maxLength: number,
): PatternAnalysis {
  const pattern = parsePattern(source);
  if (pattern === null) return { kind: "unclear" };
  const alphabet = createAlphabet(source);
  const budget = { steps: maxSteps };
  const alternatives = listAlternatives(pattern).map((part) => ({
    part,
    positions: isAnchoredAtStart(part) ? null : maxLength,
  }));
  const looks = findLookarounds(pattern).map((part) => ({
    ...{ part, positions: null },
  }));
  return [...alternatives, ...looks]
    .map(({ part, positions }): PatternAnalysis => {
      const automaton = buildAutomaton(part, alphabet);
      const whole =
        positions === null
          ? automaton
          : buildAutomaton(precededByAny(part), alphabet);
      if (automaton === null || whole === null) return { kind: "unclear" };
      const canStop = !isAnchoredAtEnd(part);
      const verdict = analyzeLoops(whole, canStop, alphabet, maxLength, budget);
      if (!isFast(verdict)) return verdict;
      const limit = limitAt(positions);
      const length = Math.min(maxLength, longestMatch(part));
      const bounds = { length, maxSteps: limit, canStop };
      return countSteps(automaton, bounds) > limit
        ? { kind: "many-paths" }
        : verdict;
    })
    .reduce(worse);
}

/**
 * Returns the harmless number of steps of an expression that is tried at some
 * positions, or at one if they are null.
 */
function limitAt(positions: number | null): number {
  return positions === null
    ? harmlessSteps
    : Math.max(harmlessSteps / positions, harmlessStepsPerCharacter);
}

/** This number of steps takes a few hundredths of a second. */
const harmlessSteps = 5_000_000;
/** Expressions with counts such as `{1,63}` take about this many steps. */
const harmlessStepsPerCharacter = 256;

/** Whether an expression is fast for every string up to this length. */
export function isHarmless(source: string, maxLength: number): boolean {
  return isFast(analyzePattern(source, maxLength));
}

/** Whether no string takes much longer than others. */
export function isFast(analysis: PatternAnalysis): boolean {
  return (
    analysis.kind === "fast" ||
    (analysis.kind === "polynomial" &&
      (analysis.steps <= harmlessSteps ||
        analysis.stepsPerCharacter <= harmlessStepsPerCharacter))
  );
}

/** Returns the alternatives of an expression. */
function listAlternatives(pattern: Pattern): readonly Pattern[] {
  return pattern.kind === "choice"
    ? pattern.items.flatMap(listAlternatives)
    : [pattern];
}

/** Without an anchor, an expression is tried at every position. */
function precededByAny(pattern: Pattern): Pattern {
  return { kind: "sequence", items: [anything, pattern] };
}

const anything: Pattern = {
  kind: "repetition",
  item: { kind: "character", text: "[^]" },
  min: 0,
  max: Infinity,
};

const ranks = ["fast", "unclear", "many-paths", "polynomial", "exponential"];

function worse(a: PatternAnalysis, b: PatternAnalysis): PatternAnalysis {
  return ranks.indexOf(b.kind) > ranks.indexOf(a.kind) ? b : a;
}

/** Returns lookaround expressions, which are matched separately. */
function findLookarounds(pattern: Pattern): readonly Pattern[] {
  switch (pattern.kind) {
    case "look": {
      const { isBehind, item } = pattern;
      return [isBehind ? reverse(item) : item, ...findLookarounds(item)];
    }
    case "repetition":
      return findLookarounds(pattern.item);
    case "sequence":
    case "choice":
      return pattern.items.flatMap(findLookarounds);
    case "boundary":
    case "character":
      return [];
  }
}

function analyzeLoops(
  automaton: Automaton,
  canStop: boolean,
  alphabet: Alphabet,
  maxLength: number,
  budget: Budget,
): PatternAnalysis {
  // If a match can end after a loop, it does not fail there.
  const loops = findLoops(automaton).filter(
    ({ states }) =>
      !canStop || ![...states].some((state) => automaton.last.has(state)),
  );
  for (const loop of loops) {
    const word = findDoubling(automaton, loop, budget);
    if (word) return { kind: "exponential", repeated: spell(word, alphabet) };
  }
  const verdict = analyzeChains(automaton, loops, maxLength, alphabet, budget);
  const isUnfinished = verdict.kind === "fast" && budget.steps < 0;
  return isUnfinished ? { kind: "unclear" } : verdict;
}

/** The most expensive path from a loop through others. */
interface Chain {
  /** Maximum number of repetitions of each loop on the path. */
  readonly lengths: readonly number[];
  readonly word: SetSequence | null;
}

function analyzeChains(
  automaton: Automaton,
  loops: readonly Loop[],
  maxLength: number,
  alphabet: Alphabet,
  budget: Budget,
): PatternAnalysis {
  const chains: { readonly loop: Loop; readonly chain: Chain }[] = [];
  // Later loops come first, so the result for each loop's successors is known.
  for (const loop of loops) {
    if (chains.some(({ chain }) => chain.lengths.length === maxPower)) break;
    const length = Math.min(maxLength, loop.limit);
    let chain: Chain = { lengths: [length], word: null };
    for (const after of chains) {
      const lengths = [length, ...after.chain.lengths];
      if (!isWorse(lengths, chain.lengths)) continue;
      const word = findSharedString(automaton, loop, after.loop, budget);
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
  // Both can be infinite, so the difference can be NaN.
  return difference > 0 || (!(difference < 0) && a.length > b.length);
}

/**
 * Returns the number of steps per character: the product of all lengths except
 * the largest.
 */
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

/**
 * Finds a string that leads a loop back to the same state in two ways. Each
 * repetition of the string doubles the number of paths that the engine tries.
 */
function findDoubling(
  automaton: Automaton,
  loop: Loop,
  budget: Budget,
): SetSequence | null {
  const way =
    findFork(automaton, loop) ?? findMergingPaths(automaton, loop, budget);
  if (way === null) return null;
  const [begin, end] = [way.begin[0], way.end[0]];
  if (begin === end || begin === undefined || end === undefined) {
    return way.word;
  }
  const back = findString(automaton, budget, {
    starts: [[end]],
    within: [loop.states],
    isGoal: ([to]) => to === begin,
  });
  return back && [...way.word, ...back.word];
}

/** Finds a step that the engine can take in two different ways. */
function findFork({ states }: Automaton, loop: Loop): FoundString | null {
  for (const begin of loop.states) {
    for (const [end, ways] of states[begin]?.next ?? []) {
      const set = states[end]?.set ?? 0n;
      if (ways > 1 && loop.states.has(end) && set !== 0n) {
        return { begin: [begin], end: [end], word: [set] };
      }
    }
  }
  return null;
}

/** Finds two paths that diverge and meet again. */
function findMergingPaths(
  automaton: Automaton,
  loop: Loop,
  budget: Budget,
): FoundString | null {
  const areApart = ([a, b]: readonly number[]): boolean => a !== b;
  return findString(automaton, budget, {
    starts: [...loop.states].map((state) => [state, state]),
    within: [loop.states, loop.states],
    allows: (to, from) => areApart(to) || areApart(from),
    isGoal: (at) => !areApart(at),
  });
}

/**
 * Finds a string that both loops accept and that leads from one to the other.
 */
function findSharedString(
  automaton: Automaton,
  earlier: Loop,
  later: Loop,
  budget: Budget,
): SetSequence | null {
  for (const p of earlier.states) {
    for (const q of later.states) {
      const way = findString(automaton, budget, {
        starts: [[p, p, q]],
        within: [earlier.states, null, later.states],
        isGoal: ([a, b, c]) => a === p && b === q && c === q,
      });
      if (way || budget.steps < 0) return way && way.word;
    }
  }
  return null;
}
