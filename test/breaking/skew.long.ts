import { expect, it } from "vitest";
import { isSample, runs } from "../support/draw-some.js";
import { tallySkew } from "./pairs/tell-skew.js";
import { seedsOf } from "./pairs/try-pairs.js";

const timeout = 1_200_000;
const seeds = seedsOf(
  isSample ? 60 : Math.max(60, Math.min(100, Math.round(100 * runs))),
);

it(
  "errors of old clients name the change, and no change without a reason",
  async () => {
    const tally = await tallySkew(seeds, 10);
    const { failedCount, ownFaultCount, pairCount } = tally;
    const { provenCount } = tally;
    console.log(
      `${pairCount} pairs: ${failedCount} failed calls, of which ${provenCount} name the reason, ${tally.possible.length} a possible reason, ${tally.vague.length} only the versions, and ${tally.silent.length} nothing; ${ownFaultCount} other failures, of which ${tally.false.length} name a reason`,
    );
    expect(tally.silent, tally.silent[0]).toEqual([]);
    expect(tally.vague, tally.vague[0]).toEqual([]);
    expect(tally.false, tally.false[0]).toEqual([]);
    expect(provenCount).toBeGreaterThan(0);
    expect(ownFaultCount).toBeGreaterThan(0);
  },
  timeout,
);
