import { pino } from "pino";
import { expect, test } from "vitest";

import { startFlushing } from "../../activity/use-counters.js";

test("counts that are added during a write are written before the end", async () => {
  let pending = 0;
  let reportStart = (): void => {};
  const start = new Promise<void>((resolve) => (reportStart = resolve));
  let endWrite = (): void => {};
  const write = new Promise<void>((resolve) => (endWrite = resolve));
  const counters = {
    noteCall: () => {},
    noteAccessKey: () => {},
    noteSecret: () => {},
    flush: () => {
      pending = 0;
      reportStart();
      return write;
    },
  };
  const flushing = startFlushing(counters, pino({ level: "silent" }), 1);
  await start;
  pending = 1;
  const stopped = flushing.stop();
  endWrite();
  await stopped;
  expect(pending).toBe(0);
});
