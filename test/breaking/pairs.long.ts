import { describe, expect, it } from "vitest";
import { isSample, runs } from "../support/draw-some.js";
import { tallyCode } from "./pairs/compile-pairs.js";
import { seedsOf, type Tally, tallyPairs } from "./pairs/try-pairs.js";

const timeout = 1_200_000;
// Fewer pairs say nothing about the share of false alarms.
const callPairs = isSample ? 60 : 100 * runs;

function expectNoSilentBreaks({
  pairCount,
  brokenCount,
  silent,
  alarms,
}: Tally): void {
  console.log(
    `${pairCount} pairs: ${brokenCount} break clients or servers (${silent.length} silently); ${alarms.length} false alarms`,
  );
  expect(silent, silent[0]).toEqual([]);
  // A type that becomes another kind is reported, also if no code uses it, and
  // so are extra members that become a map with the same type in code.
  expect(alarms.length, alarms[0]).toBeLessThan(Math.max(4, pairCount / 25));
  expect(brokenCount).toBeGreaterThan(pairCount / 4);
}

describe("verdicts of `ridl breaking` on many random edits", () => {
  it(
    "agree with the results of calls between old and new clients and servers",
    async () => expectNoSilentBreaks(await tallyPairs(seedsOf(callPairs), 20)),
    timeout,
  );

  it(
    "agree with the compiler's errors in code for the old version",
    () => expectNoSilentBreaks(tallyCode(seedsOf(80 * runs))),
    timeout,
  );
});
