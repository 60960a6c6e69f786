import { pino } from "pino";
import { expect, test } from "vitest";

import { createGrowthLimit } from "../../database/growth-limit.js";
import { silent } from "../support/test-database.js";

/** Opens a limit of 100 for each owner. Its removals end when they are told to. */
function open() {
  const begun: unknown[] = [];
  const ends: ((found?: number) => void)[] = [];
  const note = createGrowthLimit({
    ...{ log: silent, max: 100 },
    remove: (owner) => {
      begun.push(owner.join());
      return new Promise((resolve) => {
        ends.push((found = 0) => resolve(found));
      });
    },
  });
  return { begun, note, endNext: (found?: number) => ends.shift()?.(found) };
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

test("removes rows of one owner at a time", async () => {
  const { begun, endNext, note } = open();
  const all = ["one", "two"].map((owner) => note(10, [owner]));
  await expect.poll(() => begun).toEqual(["one"]);
  endNext();
  await expect.poll(() => begun).toEqual(["one", "two"]);
  endNext();
  await Promise.all(all);
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
  const log = pino({}, { write: (line) => void lines.push(line) });
  let tries = 0;
  const note = createGrowthLimit({
    ...{ log, max: 100 },
    remove: () => Promise.reject(new Error(`try ${(tries += 1)}`)),
  });
  await note(10);
  await note(10);
  expect(
    lines.map((line) => Object(JSON.parse(line))["err"]["message"]),
  ).toEqual(["try 1", "try 2"]);
});
