import * as original from "../../node_modules/fast-check/lib/fast-check.js";

/**
 * Replaces fast-check. `npm test` runs a tenth of the cases that a property
 * requests, and always draws the same ones so that a failure points to a
 * change. `npm run test:long` draws different cases, and RIDLKIT_RUNS times as
 * many as requested.
 */
const factor = Number(process.env["RIDLKIT_RUNS"] ?? 0.1);
const seed = Number(process.env["RIDLKIT_SEED"] ?? 20_261_120);

function parameters<Values>(
  given: original.Parameters<Values> = {},
): original.Parameters<Values> {
  return {
    ...given,
    numRuns: Math.ceil((given.numRuns ?? 100) * factor),
    seed,
  };
}

/** Calls fast-check's `assert` with the configured runs and seed. */
export function assert<Values>(
  property: original.IRawProperty<Values>,
  given?: original.Parameters<Values>,
): unknown {
  return original.assert(property, parameters(given));
}

/** Calls fast-check's `check` with the configured runs and seed. */
export function check<Values>(
  property: original.IRawProperty<Values>,
  given?: original.Parameters<Values>,
): unknown {
  return original.check(property, parameters(given));
}

export * from "../../node_modules/fast-check/lib/fast-check.js";
export default { ...original.default, assert, check };
