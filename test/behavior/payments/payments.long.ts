import { it } from "vitest";
import { isSample, runs } from "../../support/draw-some.js";
import { payUnderFaults } from "./pay-under-faults.js";

/** A sample is enough for continuous integration. */
const share = isSample ? 0.1 : Math.min(1, runs);

it("makes each of 10,000 payments once, and answers it with its receipt", async () => {
  const seed = Number(process.env["RIDLKIT_SEED"] ?? Date.now() % 1e9);
  console.log(`RIDLKIT_SEED=${seed}`);
  await payUnderFaults(10_000 * share, 60 * share, seed);
}, 1_800_000);
