import { expect, test } from "vitest";

import { withSignal } from "../../../process/concurrency/caller.js";
import { giveWay } from "../../../process/concurrency/give-way.js";

/** Keeps the event loop busy. */
function spin(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

test("resumes one piece of long work in each turn of the event loop, in order", async () => {
  let turn = 0;
  let isOver = false;
  const count = (): void => {
    turn += 1;
    if (!isOver) setImmediate(count);
  };
  const steps: { readonly turn: number; readonly work: number }[] = [];
  const run = async (work: number): Promise<void> => {
    for (let step = 0; step < 5; step += 1) {
      await giveWay();
      steps.push({ turn, work });
      spin(3);
    }
  };
  spin(3);
  setImmediate(count);
  await Promise.all(Array.from({ length: 6 }, (_, work) => run(work)));
  isOver = true;
  const order = steps.map(({ work }) => work);
  expect(order).toEqual(
    Array.from({ length: 5 }, () => [0, 1, 2, 3, 4, 5]).flat(),
  );
  const turns = steps.map((each) => each.turn);
  expect(new Set(turns).size).toBe(steps.length);
});

test("ends the work of a caller who has left", async () => {
  const caller = new AbortController();
  caller.abort(new Error("left"));
  spin(3);
  const step = withSignal(() => caller.signal, giveWay);
  await expect(step).rejects.toThrow("left");
  spin(3);
  await giveWay();
});
