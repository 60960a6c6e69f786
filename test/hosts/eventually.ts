import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";

/**
 * Waits until a function returns a value. `expect.poll` cannot run in
 * concurrent tests.
 */
export async function eventually<T>(
  get: () => T | Promise<T>,
  wanted: T,
  withinMs = 20_000,
): Promise<void> {
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
}
