import { describe, expect, it } from "vitest";
import { tallyCode } from "./pairs/compile-pairs.js";
import { type Tally, tallyPairs } from "./pairs/try-pairs.js";

/** Returns the same seeds in every run. */
function someSeeds(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index);
}

function expectNoSilentBreaks({
  pairCount,
  brokenCount,
  silent,
  alarms,
}: Tally): void {
  expect(silent, silent[0]).toEqual([]);
  expect(alarms, alarms[0]).toEqual([]);
  // The test proves nothing unless many pairs break and some do not.
  expect(brokenCount).toBeGreaterThan(pairCount / 4);
  expect(brokenCount).toBeLessThan(pairCount);
}

describe("verdicts of `ridl breaking` on random edits", () => {
  it("agree with the results of calls between old and new clients and servers", async () => {
    expectNoSilentBreaks(await tallyPairs(someSeeds(6), 10));
  });

  it("agree with the compiler's errors in code for the old version", () => {
    expectNoSilentBreaks(tallyCode(someSeeds(8)));
  });
});
