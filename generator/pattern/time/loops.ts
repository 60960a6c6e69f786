import type { Automaton } from "./automaton.js";

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
