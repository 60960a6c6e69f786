import type { Automaton } from "./automaton.js";

/** A string as a sequence of character sets. */
export type SetSequence = readonly bigint[];

/** Remaining steps for all searches of an expression. */
export interface Budget {
  steps: number;
}

/** States that several paths through the automaton reach together. */
export type StateTuple = readonly number[];

/** A search for a string. */
export interface StringSearch {
  readonly starts: readonly StateTuple[];
  /** The states that each path must stay within. Null allows any state. */
  readonly within: readonly (ReadonlySet<number> | null)[];
  /** Whether paths at `from` can continue to `to`. */
  readonly allows?: (to: StateTuple, from: StateTuple) => boolean;
  readonly isGoal: (at: StateTuple) => boolean;
}

/** The start and the end of a search, and the string between them. */
export interface FoundString {
  readonly begin: StateTuple;
  readonly end: StateTuple;
  readonly word: SetSequence;
}

interface SearchStep {
  readonly at: StateTuple;
  /** The characters that can come last on all paths. */
  readonly set: bigint;
  readonly from: SearchStep | null;
}

/**
 * Finds the shortest string that leads all paths from a start to a goal.
 * Returns null if there is none, or if the budget is used up (below 0).
 */
export function findString(
  automaton: Automaton,
  budget: Budget,
  { starts, within, allows, isGoal }: StringSearch,
): FoundString | null {
  const queue = starts.map((at): SearchStep => ({ at, set: 0n, from: null }));
  const seen = new Set(starts.map((at) => at.join()));
  for (const moment of queue) {
    for (const next of stepsFrom(automaton, moment, within, budget)) {
      if (allows && !allows(next.at, moment.at)) continue;
      if (isGoal(next.at)) return toFoundString(next);
      const key = next.at.join();
      if (!seen.has(key)) queue.push(next);
      seen.add(key);
    }
    if (budget.steps < 0) return null;
  }
  return null;
}

/** Advances all paths by the same character. */
function stepsFrom(
  { states }: Automaton,
  from: SearchStep,
  within: StringSearch["within"],
  budget: Budget,
): readonly SearchStep[] {
  let steps: readonly { at: StateTuple; set: bigint }[] = [
    { at: [], set: -1n },
  ];
  for (const [way, state] of from.at.entries()) {
    const bounds = within[way];
    const all = [...(states[state]?.next.keys() ?? [])];
    const targets = bounds ? all.filter((each) => bounds.has(each)) : all;
    steps = steps.flatMap(({ at, set }) => {
      budget.steps -= targets.length;
      if (budget.steps < 0) return [];
      return targets.flatMap((target) => {
        const both = set & (states[target]?.set ?? 0n);
        return both === 0n ? [] : { at: [...at, target], set: both };
      });
    });
  }
  return steps.map((step) => ({ ...step, from }));
}

function toFoundString(last: SearchStep): FoundString {
  const word: bigint[] = [];
  let moment = last;
  while (moment.from) {
    word.push(moment.set);
    moment = moment.from;
  }
  return { begin: moment.at, end: last.at, word: word.reverse() };
}
