import { pino } from "pino";
import { expect, test } from "vitest";

import { createGrowthLimit } from "../../database/growth-limit.js";
import { asCaller } from "../../process/concurrency/caller.js";

/** Opens a limit of 100 for each owner. Its statements end when they are told to. */
function open(statements = 1) {
  const begun: unknown[] = [];
  const ends: ((found?: number) => void)[] = [];
  const stopping = new AbortController();
  const lines: string[] = [];
  const note = createGrowthLimit({
    log: pino({}, { write: (line) => void lines.push(line) }),
    max: 100,
    stopping: stopping.signal,
    remove: async (owner, inTurn) => {
      let found = 0;
      for (let left = statements; left > 0; left -= 1) {
        found = await inTurn(() => {
          begun.push(owner.join());
          return new Promise((resolve) => {
            ends.push((size = 0) => resolve(size));
          });
        });
      }
      return found;
    },
  });
  const endNext = (found?: number) => ends.shift()?.(found);
  return { begun, endNext, lines, note, stop: () => stopping.abort() };
}

test("removes rows of an owner whenever it has added a tenth of the limit", async () => {
  const { begun, endNext, note } = open();
  await note(9, ["one"]);
  await note(9, ["other"]);
  expect(begun).toEqual([]);
  const first = note(1, ["one"]);
  await expect.poll(() => begun).toEqual(["one"]);
  // The next rows of the owner do not wait, unless there are as many again.
  await note(9, ["one"]);
  const second = note(1, ["one"]);
  endNext();
  await Promise.all([first, second]);
  expect(begun).toEqual(["one"]);
  const third = note(1, ["one"]);
  await expect.poll(() => begun).toEqual(["one", "one"]);
  endNext();
  await third;
});

test("executes one statement at a time, of each owner in turn", async () => {
  const { begun, endNext, note } = open(2);
  const all = ["one", "two"].map((owner) => note(10, [owner]));
  for (const expected of [
    ["one"],
    ["one", "two"],
    ["one", "two", "one"],
    ["one", "two", "one", "two"],
  ]) {
    await expect.poll(() => begun).toEqual(expected);
    endNext();
  }
  await Promise.all(all);
});

test("executes no more statements once the instance stops, and logs no error", async () => {
  const { begun, endNext, lines, note, stop } = open(2);
  const all = ["one", "two"].map((owner) => note(10, [owner]));
  await expect.poll(() => begun).toEqual(["one"]);
  stop();
  endNext();
  await Promise.all(all);
  expect(begun).toEqual(["one"]);
  expect(lines).toEqual([]);
});

test("removes rows although the caller that added them has left", async () => {
  const { begun, endNext, lines, note } = open(2);
  const leaving = new AbortController();
  const done = asCaller(
    "caller",
    () => note(10),
    () => leaving.signal,
  );
  await expect.poll(() => begun).toHaveLength(1);
  leaving.abort();
  endNext();
  await expect.poll(() => begun).toHaveLength(2);
  endNext();
  await done;
  expect(lines).toEqual([]);
});

test("does not look again soon for rows that cannot be removed yet", async () => {
  const { begun, endNext, note } = open();
  const first = note(10);
  await expect.poll(() => begun).toEqual([""]);
  endNext(400);
  await first;
  await note(39);
  expect(begun).toHaveLength(1);
  const second = note(1);
  await expect.poll(() => begun).toHaveLength(2);
  endNext(100);
  await second;
});

test("logs that rows could not be removed, and tries again later", async () => {
  const lines: string[] = [];
  let tries = 0;
  const note = createGrowthLimit({
    log: pino({}, { write: (line) => void lines.push(line) }),
    max: 100,
    remove: () => Promise.reject(new Error(`try ${(tries += 1)}`)),
    stopping: new AbortController().signal,
  });
  await note(10);
  await note(10);
  expect(
    lines.map((line) => Object(JSON.parse(line))["err"]["message"]),
  ).toEqual(["try 1", "try 2"]);
});
