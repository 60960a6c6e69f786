import type { Automaton } from "./automaton.js";
import type { Loop } from "./loops.js";
import type { Budget, FoundString, SetSequence } from "./search.js";
import { findString } from "./search.js";

/**
 * Finds a string that leads a loop back to the same state in two ways. Each
 * repetition of the string doubles the number of paths that the engine tries.
 */
export function findDoubling(
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
 * Finds a string that both loops accept and that also leads from one to the
 * other, so that the engine tries every position for the transition.
 */
export function findSharedString(
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
