import { LRUCache } from "lru-cache";

/** The schedule for retrying failed deliveries. */
export interface RetrySchedule {
  readonly firstPauseMs: number;
  /** The factor by which each pause grows. */
  readonly factor: number;
  readonly maxPauseMs: number;
  /** How long to keep retrying before giving up. */
  readonly giveUpAfterMs: number;
}

/** Returns the pause after a number of failures. */
export function pauseAfter(failures: number, schedule: RetrySchedule): number {
  const { factor, firstPauseMs, maxPauseMs } = schedule;
  return Math.min(firstPauseMs * factor ** (failures - 1), maxPauseMs);
}

/** Pauses listeners and hosts after failed deliveries. */
export interface Pauses {
  /** Returns how long the listener or host with a name is still paused. */
  leftMs(name: string): number;
  /** Records a success, which ends the pause. */
  end(name: string): void;
  /**
   * Returns how many listeners have failed several times in a row, the last time
   * not long ago.
   */
  countFailing(): number;
  /**
   * Records a failure. Pauses grow with each one. Returns whether it is the first
   * one since the last success.
   */
  extend(name: string, leastMs: number): boolean;
}

/**
 * The number of failures in a row, about three minutes apart, after which a
 * listener counts as failing.
 */
const failingAfter = 5;

/** The maximum pause, after which the host may have recovered. */
const maxPauseMs = 60_000;

/** Creates an empty list of pauses. */
export function createPauses(schedule: RetrySchedule): Pauses {
  const paused = new LRUCache<string, { failures: number; until: number }>({
    max: 100_000,
  });
  return {
    leftMs: (name) =>
      Math.max((paused.get(name)?.until ?? 0) - performance.now(), 0),
    countFailing: () => {
      const since = performance.now() - schedule.maxPauseMs;
      let count = 0;
      for (const [name, { failures, until }] of paused.entries()) {
        // Hosts are paused, too.
        const isListener = /^[0-9]+$/u.test(name);
        if (isListener && failures >= failingAfter && until > since) count += 1;
      }
      return count;
    },
    end: (name) => void paused.delete(name),
    extend: (name, leastMs) => {
      const now = performance.now();
      const { failures = 0, until = 0 } = paused.get(name) ?? {};
      // Deliveries that fail at the same time count as one failure.
      const next = until > now ? failures : failures + 1;
      const pauseMs = Math.max(pauseAfter(next, schedule), leastMs);
      const end = Math.max(until, now + Math.min(pauseMs, maxPauseMs));
      paused.set(name, { failures: next, until: end });
      return failures === 0;
    },
  };
}
