import { setTimeout as sleep } from "node:timers/promises";

import { expect, test } from "vitest";

import { createLimit } from "../../process/limit-work.js";

test("runs a limited number of jobs at once, in order of arrival", async () => {
  const limit = createLimit(2, 100);
  const begun: number[] = [];
  let running = 0;
  let most = 0;
  const all = Array.from({ length: 10 }, (_, number) =>
    limit(async () => {
      begun.push(number);
      running += 1;
      most = Math.max(most, running);
      await sleep(1);
      running -= 1;
      if (number % 3 === 0) throw new Error(`no ${number}`);
      return number;
    }),
  );
  const settled = await Promise.allSettled(all);
  expect(most).toBe(2);
  expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  const failed = settled.filter(({ status }) => status === "rejected");
  expect(failed).toHaveLength(4);
  // The failed jobs have released their slots.
  expect(await limit(() => Promise.resolve("next"))).toBe("next");
});

test("rejects jobs when the queue is full", async () => {
  const limit = createLimit(1, 1);
  const first = limit(() => sleep(5, "first"));
  const second = limit(() => sleep(5, "second"));
  await expect(limit(() => sleep(5, "third"))).rejects.toMatchObject({
    name: "Unavailable",
  });
  expect(await Promise.all([first, second])).toEqual(["first", "second"]);
});
