import * as original from "../../node_modules/fast-check/lib/fast-check.js";

/**
 * Stands in for fast-check during `npm run test:long`: every property runs
 * RIDLKIT_RUNS times as often as it asks for, from the seed RIDLKIT_SEED.
 */
const factor = Number(process.env["RIDLKIT_RUNS"]);
const seed = Number(process.env["RIDLKIT_SEED"]);

function parameters<Values>(
  given: original.Parameters<Values> = {},
): original.Parameters<Values> {
  return { ...given, numRuns: (given.numRuns ?? 100) * factor, seed };
}

/** As in fast-check, with more runs. */
export function assert<Values>(
  property: original.IRawProperty<Values>,
  given?: original.Parameters<Values>,
): unknown {
  return original.assert(property, parameters(given));
}

/** As in fast-check, with more runs. */
export function check<Values>(
  property: original.IRawProperty<Values>,
  given?: original.Parameters<Values>,
): unknown {
  return original.check(property, parameters(given));
}

export * from "../../node_modules/fast-check/lib/fast-check.js";
export default { ...original.default, assert, check };
