import { describe, expect, it } from "vitest";
import { Random } from "../support/random.js";
import { buildVersion, loadVersion } from "./pairs/build-version.js";
import { tallyCode } from "./pairs/compile-pairs.js";
import { findBreaks } from "./pairs/find-breaks.js";
import { Peer } from "./pairs/peer.js";
import { type Tally, tallyPairs } from "./pairs/try-pairs.js";

/** Returns the same seeds in every run. */
function someSeeds(first: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => first + index);
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
    expectNoSilentBreaks(await tallyPairs(someSeeds(8, 6), 10));
  });

  it("agree with the compiler's errors in code for the old version", () => {
    expectNoSilentBreaks(tallyCode(someSeeds(3, 8)));
  });
});

it("calls send 64-bit integers of a struct in a union in a list", async () => {
  const contract = `webrpc = v1
name = trial
version = v1.0.0

struct Edge
  - size?: uint64

struct Deal
  - code: string
  - data: any
    + oneOf = edge:Edge|none:null
    + tag = code

service Shop
  - Put(deals: []Deal)
`;
  const [old, recent] = (["bigint", "number"] as const).map((int64) => {
    const modes = { int64, timestamp: "string" } as const;
    const version = buildVersion({ "trial.ridl": contract }, modes);
    return new Peer(loadVersion(version ?? expect.unreachable()));
  });
  if (!old || !recent) expect.unreachable();
  const breaks = await findBreaks(old, recent, new Random(1), 100);
  expect(breaks).toContainEqual(
    expect.objectContaining({ audience: "wire", isCertain: true }),
  );
});
