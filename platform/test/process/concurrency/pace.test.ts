import { expect, onTestFinished, test, vi } from "vitest";

import { createPace } from "../../../process/concurrency/pace.js";

const settle = () => new Promise(setImmediate);

test("units start at a steady pace, whoever starts them", async () => {
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => now);
  onTestFinished(() => void vi.restoreAllMocks());
  const waits: number[] = [];
  const pace = createPace(100, async (ms) => void waits.push(ms));
  const { signal } = new AbortController();
  for (const units of [10, 10, 5, 10]) await pace(units, signal);
  expect(waits).toEqual([100, 200, 250]);
  // Time that has passed does not add up.
  now = 10_000;
  await pace(10, signal);
  await pace(10, signal);
  expect(waits).toEqual([100, 200, 250, 100]);
});

test("an aborted task does not wait", async () => {
  const pace = createPace(0.001);
  const abort = new AbortController();
  await pace(1, abort.signal);
  let isOver = false;
  const waiting = pace(1, abort.signal).then(() => (isOver = true));
  await settle();
  expect(isOver).toBe(false);
  abort.abort();
  await waiting;
});
