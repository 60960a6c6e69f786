import type { Stoppable } from "./keep-running.js";
import { pause } from "./pause.js";

/**
 * Runs work immediately and again after each pause, until it is stopped.
 *
 * Input: work that does not reject. Its signal is aborted when it must stop.
 * `firstPauseMs` delays the first run.
 */
export function repeatUntilStopped(
  pauseMs: number,
  work: (signal: AbortSignal) => Promise<void>,
  firstPauseMs = 0,
): Stoppable {
  const stopping = new AbortController();
  const { signal } = stopping;
  const repeat = async (): Promise<void> => {
    if (firstPauseMs > 0) await pause(firstPauseMs, signal);
    while (!signal.aborted) {
      await work(signal);
      await pause(pauseMs, signal);
    }
  };
  const ended = repeat();
  return {
    ended,
    stop: () => {
      stopping.abort();
      return ended;
    },
  };
}
