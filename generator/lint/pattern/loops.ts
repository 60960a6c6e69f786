import type { Automaton } from "./automaton.js";

/** Places that all lead to each other: a text can run through them for ever. */
export interface Loop {
  readonly places: ReadonlySet<number>;
  /** How often one of them can be taken in a row. */
  readonly limit: number;
}

/**
 * The loops of an automaton, later ones of the expression first.
 * Tarjan's algorithm, with a stack of its own.
 */
export function findLoops({ places }: Automaton): readonly Loop[] {
  const order = new Map<number, number>();
  const lowest = new Map<number, number>();
  const open: number[] = [];
  const isOpen = new Set<number>();
  const loops: Loop[] = [];
  const enter = (place: number): Visit => {
    order.set(place, order.size);
    lowest.set(place, order.size - 1);
    open.push(place);
    isOpen.add(place);
    return { place, targets: [...(places[place]?.next.keys() ?? [])] };
  };
  const lower = (place: number, to: number | undefined): void => {
    const known = lowest.get(place) ?? Infinity;
    lowest.set(place, Math.min(known, to ?? Infinity));
  };
  const leave = (place: number): void => {
    if (lowest.get(place) !== order.get(place)) return;
    const members = open.splice(open.lastIndexOf(place));
    for (const member of members) isOpen.delete(member);
    const isLoop = members.length > 1 || places[place]?.next.has(place);
    if (!isLoop) return;
    const limit = Math.max(...members.map((each) => places[each]?.limit ?? 0));
    loops.push({ places: new Set(members), limit });
  };
  for (const root of places.keys()) {
    if (order.has(root)) continue;
    const path = [enter(root)];
    for (let visit = path.at(-1); visit; visit = path.at(-1)) {
      const target = visit.targets.pop();
      if (target === undefined) {
        path.pop();
        leave(visit.place);
        const above = path.at(-1);
        if (above) lower(above.place, lowest.get(visit.place));
      } else if (!order.has(target)) path.push(enter(target));
      else if (isOpen.has(target)) lower(visit.place, order.get(target));
    }
  }
  return loops;
}

/** A place on the way, with what is still to be followed from it. */
interface Visit {
  readonly place: number;
  readonly targets: number[];
}
