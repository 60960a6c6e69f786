/** Listeners that are left alone for a while, because they do not receive. */
export interface Rests {
  /**
   * Whether a listener is to be left alone. After its rest one may try, and the
   * others wait for what becomes of it: so one that never answers keeps a single
   * place of those that all listeners share.
   */
  isResting(listenerId: number): boolean;
  /** What has become of a delivery: how long to rest; 0: it was received. */
  note(listenerId: number, pauseMs: number): void;
}

/** Nobody rests longer: it may be there again. */
const maxRestMs = 60_000;

/** What is tried is over by then. */
const tryMs = 12_000;

/** Nobody rests yet. */
export function createRests(): Rests {
  const ends = new Map<number, number>();
  return {
    isResting: (listenerId) => {
      const end = ends.get(listenerId);
      if (end === undefined) return false;
      if (end > Date.now()) return true;
      ends.set(listenerId, Date.now() + tryMs);
      return false;
    },
    note: (listenerId, pauseMs) => {
      if (pauseMs === 0) ends.delete(listenerId);
      // The jobs themselves come again about then, some a little earlier.
      else ends.set(listenerId, Date.now() + Math.min(pauseMs / 2, maxRestMs));
    },
  };
}
