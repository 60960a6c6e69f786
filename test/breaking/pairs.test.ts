import { describe, expect, it } from "vitest";
import { tallyCode } from "./pairs/compile-pairs.js";
import { type Tally, tallyPairs } from "./pairs/try-pairs.js";

/** The same in every run. */
function someSeeds(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index);
}

function expectSound({ pairCount, brokenCount, silent, alarms }: Tally): void {
  expect(silent, silent[0]).toEqual([]);
  expect(alarms, alarms[0]).toEqual([]);
  // Both kinds must occur often, or the test proves nothing.
  expect(brokenCount).toBeGreaterThan(pairCount / 4);
  expect(brokenCount).toBeLessThan(pairCount);
}

describe("verdicts of `ridl breaking` on random edits", () => {
  it("agree with old and new clients and servers that call each other", async () => {
    expectSound(await tallyPairs(someSeeds(10), 10));
  });

  it("agree with the compiler about code written for the old version", () => {
    expectSound(tallyCode(someSeeds(3)));
  });
});
