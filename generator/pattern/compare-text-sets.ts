import { type StateMachine, buildStateMachine } from "./state-machine.js";
import { distinguishLetters } from "./letters.js";
import { Matcher, type Search } from "./matcher.js";

/** Texts that match all patterns and have a length within the limits. */
export interface TextSet {
  readonly patterns: readonly string[];
  /** The minimum length in code points. */
  readonly min: number;
  /** The maximum length in code points, or `Infinity`. */
  readonly max: number;
}

/** Whether one set of texts contains another. */
export type Containment =
  | { readonly kind: "contained" }
  /** The example, the shortest possible, is only in the other set. */
  | { readonly kind: "not-contained"; readonly example: string }
  /** A pattern is not regular, or the patterns are too large. */
  | { readonly kind: "unclear" };

/** Maximum number of steps, more than any readable expressions need. */
const maxSteps = 500_000;

/** Decides whether all texts of `inner` are in `outer`. */
export function compareTextSets(inner: TextSet, outer: TextSet): Containment {
  const unclear = { kind: "unclear" } as const;
  const sources = [...new Set([...inner.patterns, ...outer.patterns])];
  const machines = sources.flatMap((source) => buildStateMachine(source) ?? []);
  if (machines.length < sources.length) return unclear;
  const sets = [...new Set(["\\w", ...machines.flatMap(setsOf)])];
  const letters = distinguishLetters(sets);
  if (letters === null) return unclear;
  const indexOf = new Map(sets.map((set, index) => [set, index]));
  const search: Search = { letters, indexOf, steps: maxSteps };
  const matchers = new Map(
    machines.map((machine, index) => [
      sources[index],
      new Matcher(machine, search),
    ]),
  );
  const pick = (patterns: readonly string[]): readonly Matcher[] =>
    patterns.flatMap((source) => matchers.get(source) ?? []);
  const example = findExample(
    { ...inner, matchers: pick(inner.patterns) },
    { ...outer, matchers: pick(outer.patterns) },
    search,
  );
  if (search.steps < 0) return unclear;
  return example === null
    ? { kind: "contained" }
    : { kind: "not-contained", example };
}

function setsOf({ edges }: StateMachine): readonly string[] {
  return edges.flat().flatMap(({ set }) => set ?? []);
}

interface MatchedTexts extends TextSet {
  readonly matchers: readonly Matcher[];
}

/** A text, as a list of characters from its last one to its first one. */
interface Path {
  readonly inner: readonly number[];
  readonly outer: readonly number[];
  readonly length: number;
  readonly letter: string;
  readonly before: Path | null;
}

/** Finds the shortest text that only `inner` contains. */
function findExample(
  inner: MatchedTexts,
  outer: MatchedTexts,
  search: Search,
): string | null {
  const countedLength = countLengths(inner, outer);
  const seen = new Set<string>();
  const paths: Path[] = [];
  const visit = (path: Path): void => {
    const length = Math.min(path.length, countedLength);
    const key = [length, ...path.inner, ...path.outer].join(" ");
    if (seen.has(key)) return;
    seen.add(key);
    paths.push(path);
  };
  visit({
    inner: inner.matchers.map(({ first }) => first),
    outer: outer.matchers.map(({ first }) => first),
    length: 0,
    letter: "",
    before: null,
  });
  // Goes on while paths are added, from shorter ones to longer ones.
  for (const path of paths) {
    if (search.steps < 0) return null;
    const { length } = path;
    if (contains(inner, path.inner, length)) {
      if (!contains(outer, path.outer, length)) return textOf(path);
    }
    if (length >= inner.max) continue;
    for (const [index, { text }] of search.letters.entries()) {
      search.steps -= 1;
      const states = advance(inner.matchers, path.inner, index);
      const isDead = states.some(
        (state, at) => inner.matchers[at]?.isDead(state) === true,
      );
      if (isDead) continue;
      visit({
        inner: states,
        outer: advance(outer.matchers, path.outer, index),
        length: length + 1,
        letter: text,
        before: path,
      });
    }
  }
  return null;
}

/**
 * Returns the length from which on texts do not differ by their lengths. Shorter
 * texts come first, so the maximum length of `inner` needs no counting.
 */
function countLengths(inner: TextSet, outer: TextSet): number {
  return Math.max(
    inner.min,
    outer.min > inner.min ? outer.min : 0,
    outer.max < inner.max ? outer.max + 1 : 0,
  );
}

function contains(
  { matchers, min, max }: MatchedTexts,
  states: readonly number[],
  length: number,
): boolean {
  return (
    length >= min &&
    length <= max &&
    matchers.every((matcher, at) => matcher.accepts(states[at] ?? 0))
  );
}

function advance(
  matchers: readonly Matcher[],
  states: readonly number[],
  letter: number,
): readonly number[] {
  return matchers.map((matcher, at) => matcher.next(states[at] ?? 0, letter));
}

function textOf(path: Path): string {
  const letters: string[] = [];
  for (let at: Path | null = path; at !== null; at = at.before) {
    letters.push(at.letter);
  }
  return letters.reverse().join("");
}
