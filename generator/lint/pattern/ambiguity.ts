import type { Automaton } from "./automaton.js";
import type { Loop } from "./loops.js";
import type { Budget, Way, Word } from "./search.js";
import { findWay } from "./search.js";

/**
 * Finds a text that takes a loop back to where it was in two ways: each
 * repetition of it doubles the ways that the engine tries.
 */
export function findDoubling(
  automaton: Automaton,
  loop: Loop,
  budget: Budget,
): Word | null {
  const way = findFork(automaton, loop) ?? findMeeting(automaton, loop, budget);
  if (way === null) return null;
  const [begin, end] = [way.begin[0], way.end[0]];
  if (begin === end || begin === undefined || end === undefined) {
    return way.word;
  }
  const back = findWay(automaton, budget, {
    starts: [[end]],
    within: [loop.places],
    isGoal: ([to]) => to === begin,
  });
  return back && [...way.word, ...back.word];
}

/** A step that the engine can take in two ways. */
function findFork({ places }: Automaton, loop: Loop): Way | null {
  for (const begin of loop.places) {
    for (const [end, ways] of places[begin]?.next ?? []) {
      const set = places[end]?.set ?? 0n;
      if (ways > 1 && loop.places.has(end) && set !== 0n) {
        return { begin: [begin], end: [end], word: [set] };
      }
    }
  }
  return null;
}

/** Two ways that part and meet again. */
function findMeeting(
  automaton: Automaton,
  loop: Loop,
  budget: Budget,
): Way | null {
  const areApart = ([a, b]: readonly number[]): boolean => a !== b;
  return findWay(automaton, budget, {
    starts: [...loop.places].map((place) => [place, place]),
    within: [loop.places, loop.places],
    allows: (to, from) => areApart(to) || areApart(from),
    isGoal: (at) => !areApart(at),
  });
}

/**
 * Finds a text that both loops take, and that also leads from one to the
 * other: the engine tries every place at which it can pass on.
 */
export function findPassage(
  automaton: Automaton,
  earlier: Loop,
  later: Loop,
  budget: Budget,
): Word | null {
  for (const p of earlier.places) {
    for (const q of later.places) {
      const way = findWay(automaton, budget, {
        starts: [[p, p, q]],
        within: [earlier.places, null, later.places],
        isGoal: ([a, b, c]) => a === p && b === q && c === q,
      });
      if (way || budget.steps < 0) return way && way.word;
    }
  }
  return null;
}
