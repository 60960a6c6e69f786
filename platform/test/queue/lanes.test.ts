import { expect, test } from "vitest";

import { Lanes } from "../../queue/lanes.js";

const names = (prefix: string, length: number): readonly string[] =>
  Array.from({ length }, (_, index) => `${prefix}${index}/`);

/** Lanes whose parts always have another due job. */
function openLanes(limits: Partial<ConstructorParameters<typeof Lanes>[0]>) {
  const rest = { concurrency: 8, perLane: 8, reserved: 0 };
  const lanes = new Lanes({ ...rest, ...limits });
  const take = (max = 1000): readonly string[] => {
    const chosen = [...lanes.choose(max)];
    const taken = chosen.flatMap(([name, count]) =>
      Array<string>(count).fill(name),
    );
    lanes.start(taken);
    return taken;
  };
  return { lanes, take };
}

test("gives each lane the same number of slots", () => {
  const { lanes, take } = openLanes({ concurrency: 9 });
  lanes.notice(["a/", "b/", "c/"]);
  const three = ["a/", "b/", "c/"].flatMap((name) => [name, name, name]);
  expect(take()).toEqual(three);
});

test("runs at most the maximum number of jobs of a lane", () => {
  const { lanes, take } = openLanes({ perLane: 3 });
  lanes.notice(["a/1", "a/2"]);
  expect(take()).toHaveLength(3);
  expect(take()).toEqual([]);
});

test.each([4, 40, 400])(
  "%i lanes with slow jobs do not delay a lane with quick ones",
  (count) => {
    const { lanes, take } = openLanes({ concurrency: 16, reserved: 2 });
    lanes.notice(names("slow", count));
    for (let round = 0; round < 2 * count; round += 1) {
      for (const name of take()) lanes.end(name, 1000);
    }
    expect(take()).toHaveLength(14);
    lanes.notice(["other/"]);
    for (let turn = 0; turn < 3; turn += 1) {
      expect(take()).toEqual(["other/"]);
      // A lane with a running job gets no other reserved slot.
      expect(take()).toEqual([]);
      lanes.end("other/", 10);
    }
  },
);

test("many lanes with quick jobs do not delay a lane with slow ones", () => {
  const { lanes, take } = openLanes({ concurrency: 16, reserved: 2 });
  lanes.notice(["slow/", ...names("quick", 100)]);
  const taken: string[] = [];
  for (let round = 0; round < 200; round += 1) {
    for (const name of take(4)) {
      lanes.end(name, name === "slow/" ? 1000 : 1);
      taken.push(name);
    }
  }
  const count = taken.filter((name) => name === "slow/").length;
  expect(count).toBeGreaterThan(3);
});

test("a lane with slow jobs gets no reserved slot until a job is quick", () => {
  const { lanes, take } = openLanes({ concurrency: 2, reserved: 1 });
  lanes.notice(["a/"]);
  expect(take()).toEqual(["a/", "a/"]);
  lanes.end("a/", 1000);
  lanes.end("a/", 1000);
  lanes.notice(["greedy/"]);
  expect(take()).toEqual(["greedy/", "a/"]);
  lanes.end("a/", 1000);
  expect(take()).toEqual([]);
  lanes.end("greedy/", 1000);
  expect(take()).toEqual(["a/"]);
  lanes.end("a/", 1);
  expect(take()).toEqual(["a/", "greedy/"]);
});

test("lanes that wait for a slot take turns, and so do their parts", () => {
  const { lanes, take } = openLanes({ concurrency: 1 });
  lanes.notice(["a/1", "b/1", "a/2"]);
  const order = Array.from({ length: 6 }, () => {
    const [name = ""] = take();
    lanes.end(name, 1000);
    return name;
  });
  expect(order).toEqual(["a/1", "b/1", "a/2", "b/1", "a/1", "b/1"]);
});

test("a paused part waits, and then runs one job until one succeeds", async () => {
  const { lanes, take } = openLanes({});
  lanes.notice(["a/1", "a/2"]);
  lanes.pause("a/1", 1);
  const pausedFor = lanes.resume();
  expect(pausedFor).toBeGreaterThan(-Infinity);
  await expect.poll(() => lanes.resume()).toBe(Infinity);
  const taken = take();
  expect(taken.filter((name) => name === "a/1")).toHaveLength(1);
  for (const name of taken) lanes.end(name, 1);
  lanes.pause("a/1", 0);
  expect(take().filter((name) => name === "a/1")).toHaveLength(4);
});

test("asks a part only once unless it may have other jobs", () => {
  const { lanes } = openLanes({});
  lanes.notice(["a/"]);
  expect(lanes.choose(1).size).toBe(1);
  // A notification may arrive while the jobs are being taken.
  lanes.notice(["a/"]);
  lanes.start([]);
  expect(lanes.choose(1).size).toBe(1);
  lanes.start([]);
  expect(lanes.choose(1).size).toBe(0);
});
