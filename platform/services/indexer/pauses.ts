import { LRUCache } from "lru-cache";

/** Pauses listeners and hosts after failed deliveries. */
export interface Pauses {
  /**
   * Returns whether the listener or host with a given name is paused. After the
   * pause, one delivery is attempted while the others wait for its result.
   * Therefore, a host that never responds occupies only one of the slots that
   * all listeners share.
   */
  isPaused(name: string): boolean;
  /**
   * Records a delivery and the pause that follows it. A pause of 0 means
   * success.
   */
  note(name: string, pauseMs: number): void;
}

/** The maximum pause, after which the host may have recovered. */
const maxPauseMs = 60_000;

/** If an attempt has no result after this time, another attempt is made. */
const tryMs = 12_000;

/** Creates an empty list of pauses. */
export function createPauses(): Pauses {
  const ends = new LRUCache<string, number>({ max: 100_000 });
  return {
    isPaused: (name) => {
      const end = ends.get(name);
      if (end === undefined) return false;
      if (end > Date.now()) return true;
      ends.set(name, Date.now() + tryMs);
      return false;
    },
    note: (name, pauseMs) => {
      if (pauseMs === 0) ends.delete(name);
      // Use half the delay, because jitter makes some retries due early.
      else ends.set(name, Date.now() + Math.min(pauseMs / 2, maxPauseMs));
    },
  };
}
