import type { Automaton } from "./automaton.js";

/** A text as the set of characters that may stand at each of its places. */
export type SetSequence = readonly bigint[];

/** Steps that searching may still take, for all searches of an expression. */
export interface Budget {
  steps: number;
}

/** Places that several ways through the automaton have reached together. */
export type Places = readonly number[];

/** What is searched for. */
export interface Quest {
  readonly starts: readonly Places[];
  /** Where each way has to stay; null: anywhere. */
  readonly within: readonly (ReadonlySet<number> | null)[];
  /** Whether ways that stand at `from` may go on to `to`. */
  readonly allows?: (to: Places, from: Places) => boolean;
  readonly isGoal: (at: Places) => boolean;
}

/** Where a search began and ended, and the text that leads there. */
export interface Way {
  readonly begin: Places;
  readonly end: Places;
  readonly word: SetSequence;
}

/** One moment of a search. */
interface Moment {
  readonly at: Places;
  /** The characters that all ways took last. */
  readonly set: bigint;
  readonly from: Moment | null;
}

/**
 * Finds the shortest text that leads all ways from a start to a goal at once.
 * Output: null when there is none, or the budget is used up (it is below 0).
 */
export function findWay(
  automaton: Automaton,
  budget: Budget,
  { starts, within, allows, isGoal }: Quest,
): Way | null {
  const queue = starts.map((at): Moment => ({ at, set: 0n, from: null }));
  const seen = new Set(starts.map((at) => at.join()));
  for (const moment of queue) {
    for (const next of stepsFrom(automaton, moment, within, budget)) {
      if (allows && !allows(next.at, moment.at)) continue;
      if (isGoal(next.at)) return toWay(next);
      const key = next.at.join();
      if (!seen.has(key)) queue.push(next);
      seen.add(key);
    }
    if (budget.steps < 0) return null;
  }
  return null;
}

/** All ways take one character together. */
function stepsFrom(
  { states }: Automaton,
  from: Moment,
  within: Quest["within"],
  budget: Budget,
): readonly Moment[] {
  let steps: readonly { at: Places; set: bigint }[] = [{ at: [], set: -1n }];
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

function toWay(last: Moment): Way {
  const word: bigint[] = [];
  let moment = last;
  while (moment.from) {
    word.push(moment.set);
    moment = moment.from;
  }
  return { begin: moment.at, end: last.at, word: word.reverse() };
}
