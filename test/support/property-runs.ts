import fc from "fast-check";

/**
 * How often and from which seed the property tests run: `npm run test:long`
 * sets both; otherwise each test's own numbers hold.
 */
const runs = Number(process.env["RIDLKIT_RUNS"] ?? 0);
const seed = Number(process.env["RIDLKIT_SEED"] ?? 0);

if (runs > 0) {
  const assert = fc.assert;
  void assert;
  fc.configureGlobal({ ...fc.readConfigureGlobal(), numRuns: runs, seed });
}
