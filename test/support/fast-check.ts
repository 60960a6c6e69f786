import * as original from "../../node_modules/fast-check/lib/fast-check.js";

/**
 * Replaces fast-check. `npm test` always draws the same cases so that a failure
 * points at a change, and a tenth as many as a property requests. `npm run
 * test:long` draws different cases, and RIDLKIT_RUNS times as many as
 * requested.
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

/** Calls `assert` of fast-check with the configured runs and seed. */
export function assert<Values>(
  property: original.IRawProperty<Values>,
  given?: original.Parameters<Values>,
): unknown {
  return original.assert(property, parameters(given));
}

/** Calls `check` of fast-check with the configured runs and seed. */
export function check<Values>(
  property: original.IRawProperty<Values>,
  given?: original.Parameters<Values>,
): unknown {
  return original.check(property, parameters(given));
}

export * from "../../node_modules/fast-check/lib/fast-check.js";
export default { ...original.default, assert, check };
