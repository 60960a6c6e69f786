import {
  type Bounds,
  createWorld,
  findFault,
  findFinalFault,
  findNext,
  keyOf,
  stateKeyOf,
  type World,
} from "./model.js";

/** The result of an exploration. */
export interface Exploration {
  readonly worlds: number;
  /** The number of different orders of events. */
  readonly schedules: bigint;
  /** What went wrong, with the events that lead to it, or null. */
  readonly fault: string | null;
}

/**
 * Explores all worlds within the bounds, each one once. Stops at the first
 * fault.
 */
export function explore(bounds: Bounds): Exploration {
  const known = new Map<string, bigint>();
  const ends = new Set<string>();
  let fault: string | null = null;
  const visit = (world: World): bigint => {
    const key = keyOf(world);
    const before = known.get(key);
    if (before !== undefined || fault !== null) return before ?? 0n;
    const end = stateKeyOf(world);
    const isNew = !ends.has(end);
    ends.add(end);
    const found = findFault(world) ?? (isNew ? findFinalFault(world) : null);
    if (found !== null) {
      fault = `${found}: ${key}`;
      return 0n;
    }
    const next = findNext(world, bounds);
    const schedules =
      next.length === 0
        ? 1n
        : next.reduce((sum, each) => sum + visit(each), 0n);
    known.set(key, schedules);
    return schedules;
  };
  const schedules = visit(createWorld(bounds));
  return { worlds: known.size, schedules, fault };
}
