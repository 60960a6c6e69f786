import type { Alphabet } from "../alphabet.js";
import type { Pattern } from "../pattern.js";

/** A part of an expression that consumes a character. */
export interface State {
  /** The characters that the part accepts. */
  readonly set: bigint;
  /** The next states, with the number of ways to reach each. */
  readonly next: Map<number, number>;
  /** Maximum number of repetitions, e.g. 20 in `a{0,20}`. */
  readonly limit: number;
}

/** The automaton of an expression. */
export interface Automaton {
  readonly states: readonly State[];
  /** States in which a match can begin. A state can be there several times. */
  readonly first: readonly number[];
  /** States in which a match can end. */
  readonly last: ReadonlySet<number>;
}

/** A part of the automaton under construction. */
interface Fragment {
  readonly first: readonly number[];
  readonly last: readonly number[];
  /** Whether it can match the empty string. */
  readonly isSkippable: boolean;
}

interface Build {
  readonly states: State[];
  readonly alphabet: Alphabet;
  /**
   * Remaining transitions and visits of parts. They are limited, because
   * counted repetitions multiply, also those of parts without states.
   */
  budget: number;
}

/** Expressions with more states are not analyzed. */
const maxStates = 2_000;
/** Maximum number of steps, more than any real expression needs. */
const maxSteps = 200_000;
/** Counts with more choices are treated like `*`. */
const countedChoices = 16;

const nothing: Fragment = { first: [], last: [], isSkippable: true };

/**
 * Builds the automaton of an expression. Lookarounds and boundaries always
 * succeed. Two ways to reach the same state count as two, because the engine
 * tries both, which is what makes `(a*)*` slow. Returns null if the automaton
 * is too large.
 */
export function buildAutomaton(
  pattern: Pattern,
  alphabet: Alphabet,
): Automaton | null {
  const build: Build = { states: [], alphabet, budget: maxSteps };
  const whole = buildPart(pattern, build, Infinity);
  if (isTooLarge(build)) return null;
  const { first, last } = whole;
  return { states: build.states, first, last: new Set(last) };
}

function isTooLarge({ states, budget }: Build): boolean {
  return states.length > maxStates || budget < 0;
}

function buildPart(pattern: Pattern, build: Build, limit: number): Fragment {
  build.budget--;
  if (isTooLarge(build)) return nothing;
  switch (pattern.kind) {
    case "character": {
      const set = build.alphabet.setOf(pattern.text);
      const state = build.states.push({ set, next: new Map(), limit }) - 1;
      return { first: [state], last: [state], isSkippable: false };
    }
    case "sequence":
      return pattern.items.reduce<Fragment>(
        (part, item) => append(part, buildPart(item, build, limit), build),
        nothing,
      );
    case "choice": {
      const parts = pattern.items.map((item) => buildPart(item, build, limit));
      return {
        first: parts.flatMap(({ first }) => first),
        last: parts.flatMap(({ last }) => last),
        isSkippable: parts.some(({ isSkippable }) => isSkippable),
      };
    }
    case "repetition":
      return buildRepetition(pattern, build, limit);
    case "boundary":
    case "look":
      return nothing;
  }
}

function buildRepetition(
  { item, min, max }: Extract<Pattern, { kind: "repetition" }>,
  build: Build,
  limit: number,
): Fragment {
  if (max === 0) return nothing;
  const isCounted = max - min < countedChoices;
  let part = nothing;
  const copies = isCounted ? min : min - 1;
  for (let copy = 0; copy < copies && !isTooLarge(build); copy++) {
    part = append(part, buildPart(item, build, limit), build);
  }
  const rest = isCounted
    ? buildChoices(item, max - min, build, limit)
    : buildLoop(item, min > 0, build, Math.min(limit, max));
  return append(part, rest, build);
}

/** Builds `a{0,3}` as `(a(a(a)?)?)?`, in which every count has one path. */
function buildChoices(
  item: Pattern,
  count: number,
  build: Build,
  limit: number,
): Fragment {
  let part = nothing;
  for (let copy = 0; copy < count; copy++) {
    const one = buildPart(item, build, limit);
    part = { ...append(one, part, build), isSkippable: true };
  }
  return part;
}

function buildLoop(
  item: Pattern,
  isNeeded: boolean,
  build: Build,
  limit: number,
): Fragment {
  const once = buildPart(item, build, limit);
  connect(once.last, once.first, build);
  return { ...once, isSkippable: once.isSkippable || !isNeeded };
}

function append(before: Fragment, after: Fragment, build: Build): Fragment {
  connect(before.last, after.first, build);
  return {
    first: before.isSkippable
      ? [...before.first, ...after.first]
      : before.first,
    last: after.isSkippable ? [...after.last, ...before.last] : after.last,
    isSkippable: before.isSkippable && after.isSkippable,
  };
}

function connect(
  from: readonly number[],
  to: readonly number[],
  build: Build,
): void {
  build.budget -= from.length * to.length;
  if (build.budget < 0) return;
  for (const each of from) {
    const next = build.states[each]?.next;
    for (const target of to) next?.set(target, (next.get(target) ?? 0) + 1);
  }
}

/** States that can all reach each other, so a match can cycle through them. */
export interface Loop {
  readonly states: ReadonlySet<number>;
  /** The largest `limit` of the states. */
  readonly limit: number;
}

/**
 * Finds the loops of an automaton with Tarjan's algorithm, later ones first.
 */
export function findLoops({ states }: Automaton): readonly Loop[] {
  const order = new Map<number, number>();
  const lowest = new Map<number, number>();
  const open: number[] = [];
  const isOpen = new Set<number>();
  const loops: Loop[] = [];
  const enter = (state: number): Visit => {
    order.set(state, order.size);
    lowest.set(state, order.size - 1);
    open.push(state);
    isOpen.add(state);
    return { state, targets: [...(states[state]?.next.keys() ?? [])] };
  };
  const lower = (state: number, to: number | undefined): void => {
    const known = lowest.get(state) ?? Infinity;
    lowest.set(state, Math.min(known, to ?? Infinity));
  };
  const leave = (state: number): void => {
    if (lowest.get(state) !== order.get(state)) return;
    const members = open.splice(open.lastIndexOf(state));
    for (const member of members) isOpen.delete(member);
    const isLoop = members.length > 1 || states[state]?.next.has(state);
    if (!isLoop) return;
    const limit = Math.max(...members.map((each) => states[each]?.limit ?? 0));
    loops.push({ states: new Set(members), limit });
  };
  for (const root of states.keys()) {
    if (order.has(root)) continue;
    const path = [enter(root)];
    for (let visit = path.at(-1); visit; visit = path.at(-1)) {
      const target = visit.targets.pop();
      if (target === undefined) {
        path.pop();
        leave(visit.state);
        const above = path.at(-1);
        if (above) lower(above.state, lowest.get(visit.state));
      } else if (!order.has(target)) path.push(enter(target));
      else if (isOpen.has(target)) lower(visit.state, order.get(target));
    }
  }
  return loops;
}

/** A state on the current path, with its remaining successors. */
interface Visit {
  readonly state: number;
  readonly targets: number[];
}
