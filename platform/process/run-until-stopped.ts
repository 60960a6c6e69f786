import type { Stoppable } from "./keep-running.js";

/** Starts work that ends when its signal is aborted. */
export function runUntilStopped(
  work: (signal: AbortSignal) => Promise<void>,
): Stoppable {
  const stopping = new AbortController();
  const ended = work(stopping.signal);
  return {
    ended,
    stop: () => {
      stopping.abort();
      return ended;
    },
  };
}
