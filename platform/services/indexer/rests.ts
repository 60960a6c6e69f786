import { LRUCache } from "lru-cache";

/** Listeners and hosts that are left alone for a while: they do not receive. */
export interface Rests {
  /**
   * Whether a name is to be left alone. After its rest one may try, and the
   * others wait for what becomes of it: so one that never answers keeps a single
   * place of those that all listeners share.
   */
  isResting(name: string): boolean;
  /** What has become of a delivery: how long to rest; 0: it was received. */
  note(name: string, pauseMs: number): void;
}

/** Nobody rests longer: it may be there again. */
const maxRestMs = 60_000;

/** What is tried is over by then. */
const tryMs = 12_000;

/** Nobody rests yet. */
export function createRests(): Rests {
  const ends = new LRUCache<string, number>({ max: 100_000 });
  return {
    isResting: (name) => {
      const end = ends.get(name);
      if (end === undefined) return false;
      if (end > Date.now()) return true;
      ends.set(name, Date.now() + tryMs);
      return false;
    },
    note: (name, pauseMs) => {
      if (pauseMs === 0) ends.delete(name);
      // The jobs themselves come again about then, some a little earlier.
      else ends.set(name, Date.now() + Math.min(pauseMs / 2, maxRestMs));
    },
  };
}
