import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";

/** Waits until a function returns a value, by default for 20 seconds. */
export type Eventually = <T>(
  get: () => T | Promise<T>,
  wanted: T,
  withinMs?: number,
) => Promise<void>;

/**
 * Waits until a function returns a value. `expect.poll` cannot run in
 * concurrent tests.
 */
export const eventually: Eventually = async (
  get,
  wanted,
  withinMs = 20_000,
) => {
  const end = performance.now() + withinMs;
  for (;;) {
    const got = await get();
    try {
      expect(JSON.stringify(got)).toBe(JSON.stringify(wanted));
      return;
    } catch (error) {
      if (performance.now() > end) throw error;
    }
    await sleep(50);
  }
};

/** Waits for less long, in a case that is known to fail. */
export const impatiently: Eventually = (get, wanted) =>
  eventually(get, wanted, 3000);
