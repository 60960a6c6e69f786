import { beforeEach, expect, onTestFinished, test, vi } from "vitest";

import { createLogPatience } from "../../follower/late-logs.js";
import { createVoters } from "../../follower/voters.js";
import { blockOf } from "../indexer/index-block.js";

let now = 0;

beforeEach(() => {
  now = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
});

/** Opens the voters among some nodes, which are absent for long after 10. */
function open(count: number) {
  const onAlone = vi.fn(() => undefined);
  const voters = createVoters(count, 10, onAlone);
  /** Returns the positions of the nodes that decide. */
  const choose = (at: number, ...present: number[]): readonly number[] => {
    now = at;
    const decides = voters.choose(new Set(present));
    return decides.flatMap((each, position) => (each ? [position] : []));
  };
  return { choose, onAlone, voters };
}

test("nodes decide alone once each of most nodes has been absent for long", () => {
  const { choose, onAlone, voters } = open(3);
  expect(choose(0, 0)).toEqual([0, 1, 2]);
  expect(choose(10, 0)).toEqual([0, 1, 2]);
  expect(voters.areFew()).toBe(false);
  expect(choose(11, 0)).toEqual([0]);
  expect(voters.areFew()).toBe(true);
  expect(onAlone).toHaveBeenCalledOnce();
  expect(choose(12, 0, 1)).toEqual([0, 1, 2]);
  expect(voters.areFew()).toBe(false);
});

test("nodes that fail in turns leave nobody alone", () => {
  const { choose, onAlone } = open(3);
  for (let at = 0; at < 100; at += 4) {
    expect(choose(at, 1)).toEqual([0, 1, 2]);
    expect(choose(at + 2, 2)).toEqual([0, 1, 2]);
  }
  expect(choose(101, 0)).toEqual([0, 1, 2]);
  expect(onAlone).not.toHaveBeenCalled();
});

test("a single failure of one of those who decide leaves nobody alone", () => {
  const { choose } = open(5);
  choose(0, 3, 4);
  expect(choose(11, 3, 4)).toEqual([3, 4]);
  expect(choose(12, 3)).toEqual([3, 4]);
  expect(choose(23, 3)).toEqual([3]);
});

test("after all nodes were absent, all decide again", () => {
  const { choose, voters } = open(2);
  choose(0, 0);
  voters.forget();
  expect(choose(11, 0)).toEqual([0, 1]);
  expect(choose(22, 0)).toEqual([0]);
});

test("logs that one node reports are not believed while the others lack them in turns", () => {
  const { admit } = createLogPatience(3, 10, () => undefined);
  const { logs, ...block } = blockOf(1, []);
  const isAdmitted = (at: number, ...by: number[]): boolean => {
    now = at;
    const unconfirmed = { logs, by };
    const doubtful = { ...block, logs, isComplete: false, unconfirmed };
    return admit([doubtful]).length > 0;
  };
  for (let at = 0; at < 100; at += 4) {
    expect(isAdmitted(at, 1)).toBe(false);
    expect(isAdmitted(at + 2, 2)).toBe(false);
  }
  expect(isAdmitted(101, 0)).toBe(false);
  expect(isAdmitted(112, 0)).toBe(true);
});
