import type { Automaton, State } from "./automaton.js";

/** Where to stop counting. */
interface Bounds {
  /** The maximum length of the string. */
  readonly length: number;
  readonly maxSteps: number;
  /** Whether a match can end before the string does. */
  readonly canStop: boolean;
}

/** Longer strings show nothing else, except about loops. */
const maxLength = 200;
/** Transitions to follow for an expression. */
const maxWork = 5_000_000;
/** The number of strings that are continued at each length. */
const width = 8;

/** The paths of a string, up to one of its characters. */
interface Paths {
  /** The number of paths by the state that they are about to enter. */
  readonly waiting: ReadonlyMap<number, number>;
  /** The sum of these numbers. */
  readonly count: number;
  /** The steps until here. */
  readonly steps: number;
}

/**
 * Returns the steps that a backtracking engine takes on a string that does not
 * match, from one position: each part of each path that it tries. Looks for a slow
 * string by continuing those with the most paths. Stops soon after `maxSteps`.
 *
 * In contrast to loops, counts such as `{1,9}` have few paths, but nested ones
 * multiply.
 */
export function countSteps(automaton: Automaton, bounds: Bounds): number {
  const letters = listLetters(automaton.states);
  const { first } = automaton;
  const waiting = new Map(first.map((state) => [state, 1]));
  let strings: readonly Paths[] = [{ waiting, count: first.length, steps: 0 }];
  let work = maxWork;
  let most = 0;
  const length = Math.min(bounds.length, maxLength);
  for (let place = 0; place < length && strings.length > 0; place++) {
    const longer = new Map<string, Paths>();
    for (const string of strings) {
      for (const letter of letters) {
        const next = follow(string, letter, automaton, bounds.canStop);
        if (next === null) continue;
        most = Math.max(most, next.steps);
        work -= next.waiting.size;
        const [[state] = []] = next.waiting;
        longer.set(`${state} ${next.waiting.size} ${next.count}`, next);
      }
      if (most > bounds.maxSteps || work < 0) return most;
    }
    strings = [...longer.values()]
      .sort((one, other) => other.count - one.count)
      .slice(0, width);
  }
  return most;
}

/**
 * Continues a string with a letter. Returns null if a match could end there, so
 * that the engine does not go back.
 */
function follow(
  { steps: before, waiting }: Paths,
  letter: bigint,
  { last, states }: Automaton,
  canStop: boolean,
): Paths | null {
  const next = new Map<number, number>();
  let steps = before;
  let count = 0;
  for (const [index, paths] of waiting) {
    const state = states[index];
    if (state === undefined || (state.set & letter) === 0n) continue;
    if (canStop && last.has(index)) return null;
    steps += paths;
    for (const [target, ways] of state.next) {
      next.set(target, (next.get(target) ?? 0) + ways * paths);
      count += ways * paths;
    }
  }
  return { waiting: next, count, steps };
}

/** Returns one letter for each group of letters that no state tells apart. */
function listLetters(states: readonly State[]): readonly bigint[] {
  let groups: readonly bigint[] = [];
  for (const set of new Set(states.map((state) => state.set))) {
    const rest = groups.reduce((left, group) => left & ~group, set);
    groups = [
      ...groups.flatMap((group) => [group & set, group & ~set]),
      rest,
    ].filter((group) => group !== 0n);
  }
  return groups.map((group) => group & -group);
}
