import { setTimeout as sleep } from "node:timers/promises";

import { expect, onTestFinished, test, vi } from "vitest";

import { withSignal } from "../../../process/concurrency/caller.js";
import { createLimit } from "../../../process/concurrency/limit-work.js";

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

const settle = () => new Promise(setImmediate);

/** Creates work that lasts until its name is passed to `finish`. */
function openWork() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    work: (name: string) => (): Promise<void> => {
      begun.push(name);
      return new Promise((resolve) => ends.set(name, resolve));
    },
    finish: async (name: string): Promise<void> => {
      ends.get(name)?.();
      await settle();
    },
  };
}

test("owners take turns, and each one has a limit", async () => {
  const limit = createLimit(3, 100, 2);
  const { begun, work, finish } = openWork();
  const names = ["a1", "a2", "a3", "a4", "b1", "b2", "b3", "c1"];
  const all = names.map((name) => limit(work(name), name.slice(0, 1)));
  await settle();
  expect(begun).toEqual(["a1", "a2", "b1"]);
  for (const name of ["b1", "b2", "c1", "b3"]) await finish(name);
  expect(begun.slice(3)).toEqual(["b2", "c1", "b3"]);
  for (const name of names) await finish(name);
  await Promise.all(all);
  expect(begun.slice(6)).toEqual(["a3", "a4"]);
});

test("a full queue rejects work of the owner with the most", async () => {
  const limit = createLimit(1, 3);
  const { begun, work, finish } = openWork();
  const names = ["a1", "a2", "a3", "a4", "b1", "b2"];
  const all = names.map((name) =>
    limit(work(name), name.slice(0, 1)).then(
      () => name,
      () => `no ${name}`,
    ),
  );
  await settle();
  for (const name of names) await finish(name);
  for (const name of names) await finish(name);
  expect(await Promise.all(all)).toEqual([
    ...["a1", "a2", "a3", "no a4", "b1", "no b2"],
  ]);
  expect(begun).toEqual(["a1", "a2", "b1", "a3"]);
});

test("an owner rests after much work, and others do not", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const limit = createLimit(2, 100, 1);
  const { begun, work, finish } = openWork();
  const first = limit(work("a1"), "a", () => 1000);
  const second = limit(work("a2"), "a");
  await settle();
  await finish("a1");
  await first;
  const other = limit(work("b1"), "b");
  await settle();
  expect(begun).toEqual(["a1", "b1"]);
  vi.advanceTimersByTime(999);
  await settle();
  expect(begun).toEqual(["a1", "b1"]);
  vi.advanceTimersByTime(1);
  await settle();
  expect(begun).toEqual(["a1", "b1", "a2"]);
  await finish("a2");
  await finish("b1");
  await Promise.all([second, other]);
});

test("never runs queued work whose caller has left", async () => {
  const limit = createLimit(1, 1);
  const { begun, work, finish } = openWork();
  const first = limit(work("first"), "a");
  const caller = new AbortController();
  const leave = () =>
    withSignal(
      () => caller.signal,
      () => limit(work("left"), "b"),
    );
  const left = leave();
  const reason = new Error("left");
  caller.abort(reason);
  await expect(left).rejects.toBe(reason);
  await expect(leave()).rejects.toBe(reason);
  // Its place in the queue is free.
  const next = limit(work("next"), "b");
  await finish("first");
  await finish("next");
  await Promise.all([first, next]);
  expect(begun).toEqual(["first", "next"]);
});

test("never runs work that was queued for too long", async () => {
  const refuse = () => new Error("too late");
  const limit = createLimit(1, 1, 1, { refuse, waitMs: 1 });
  const { begun, work, finish } = openWork();
  const first = limit(work("first"));
  await expect(limit(work("late"))).rejects.toThrow("too late");
  await finish("first");
  await first;
  const next = limit(work("next"));
  await settle();
  await finish("next");
  await next;
  expect(begun).toEqual(["first", "next"]);
});
