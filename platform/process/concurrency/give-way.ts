import { setImmediate } from "node:timers/promises";

/** How long work may keep the event loop busy. */
const turnMs = 10;

/**
 * Creates a function that long work calls between its steps. It lets other
 * events be handled if the work has kept the event loop busy for some time.
 */
export function createGiveWay(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < turnMs) return;
    await setImmediate();
    since = performance.now();
  };
}
