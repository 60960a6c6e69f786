import type { Stoppable } from "./keep-running.js";
import { pause } from "./pause.js";

/**
 * Runs work immediately and again after each pause, until it is stopped.
 *
 * Input: work that does not reject. Its signal is aborted when it must stop.
 */
export function repeatUntilStopped(
  pauseMs: number,
  work: (signal: AbortSignal) => Promise<void>,
): Stoppable {
  const stopping = new AbortController();
  const { signal } = stopping;
  const repeat = async (): Promise<void> => {
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
