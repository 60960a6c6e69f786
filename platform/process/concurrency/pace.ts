import { pause } from "../lifecycle/pause.js";

/**
 * Creates a function that waits until units of work may start, or until the
 * signal is aborted.
 *
 * Input: how many units may start in a second, and how to wait.
 */
export function createPace(
  unitsPerSecond: number,
  wait = pause,
): (units: number, signal: AbortSignal) => Promise<void> {
  let nextAt = 0;
  return async (units, signal) => {
    const now = performance.now();
    const startsAt = Math.max(now, nextAt);
    nextAt = startsAt + (units * 1000) / unitsPerSecond;
    if (startsAt > now) await wait(startsAt - now, signal);
  };
}
