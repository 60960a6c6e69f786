import fc from "fast-check";
import { expect, test } from "vitest";

import { sortInSteps } from "../../../process/concurrency/sort-in-steps.js";
import { longestStep } from "../../support/longest-step.js";

type Item = { readonly key: number; readonly place: number };

const byKey = (one: Item, other: Item): number => one.key - other.key;
const toItems = (keys: readonly number[]): Item[] =>
  keys.map((key, place) => ({ key, place }));

test("sorts as `toSorted` does, and is stable", async () => {
  const keys = fc.array(fc.nat({ max: 50 }), { maxLength: 3000, size: "max" });
  await fc.assert(
    fc.asyncProperty(keys, async (given) => {
      const items = toItems(given);
      const expected = [...items].sort(byKey);
      expect(await sortInSteps(items, byKey)).toEqual(expected);
    }),
    { numRuns: 20 },
  );
});

test("lets other work run", async () => {
  const items = toItems(
    Array.from({ length: 10_000 }, (_, at) => (at * 7919) % 10_007),
  );
  const slowly = (one: Item, other: Item): number => {
    let sum = 0;
    for (let step = 0; step < 900; step += 1) sum += one.key % (step + 1);
    return sum < 0 ? 0 : byKey(one, other);
  };
  const atOnce = await longestStep(() =>
    Promise.resolve([...items].sort(slowly)),
  );
  const inSteps = await longestStep(() => sortInSteps(items, slowly));
  expect(inSteps).toBeLessThan(atOnce / 2);
});
