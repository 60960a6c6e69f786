import { expect, test } from "vitest";

import { withSignal } from "../../../process/concurrency/caller.js";
import { giveWay } from "../../../process/concurrency/give-way.js";

/** Keeps the event loop busy. */
function spin(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

/** Longer than any turn of long work. */
const stepMs = 21;

test("resumes one piece of long work in each turn of the event loop, in order", async () => {
  let turn = 0;
  let isOver = false;
  const count = (): void => {
    turn += 1;
    if (!isOver) setImmediate(count);
  };
  const steps: { readonly turn: number; readonly work: number }[] = [];
  const run = async (work: number): Promise<void> => {
    for (let step = 0; step < 3; step += 1) {
      await giveWay();
      steps.push({ turn, work });
      spin(stepMs);
    }
  };
  spin(stepMs);
  setImmediate(count);
  await Promise.all(Array.from({ length: 4 }, (_, work) => run(work)));
  isOver = true;
  const order = steps.map(({ work }) => work);
  expect(order).toEqual(Array.from({ length: 3 }, () => [0, 1, 2, 3]).flat());
  const turns = steps.map((each) => each.turn);
  expect(new Set(turns).size).toBe(steps.length);
});

test("ends the work of a caller who has left", async () => {
  const caller = new AbortController();
  caller.abort(new Error("left"));
  spin(stepMs);
  const step = withSignal(() => caller.signal, giveWay);
  await expect(step).rejects.toThrow("left");
  spin(stepMs);
  await giveWay();
});

test("cannot be starved by other events that keep the event loop busy", async () => {
  let isOver = false;
  const keepBusy = (): void => {
    spin(30);
    if (!isOver) setImmediate(keepBusy);
  };
  setImmediate(keepBusy);
  const since = performance.now();
  let own = 0;
  for (let step = 0; step < 100; step += 1) {
    await giveWay();
    const begin = performance.now();
    spin(1);
    own += performance.now() - begin;
  }
  isOver = true;
  // With turns of 2 ms, it would have a sixteenth of the time.
  expect(own / (performance.now() - since)).toBeGreaterThan(1 / 8);
});
