// Runs the property suites with many more cases and a seed of today.
// RIDLKIT_RUNS and RIDLKIT_SEED choose others; a failure prints both.
import { spawnSync } from "node:child_process";

const runs = process.env.RIDLKIT_RUNS ?? "2000";
const seed = process.env.RIDLKIT_SEED ?? String(Math.floor(Date.now() / 1000));
console.log(`property tests: ${runs} runs each, seed ${seed}`);

const { status } = spawnSync(
  process.execPath,
  [
    "node_modules/vitest/vitest.mjs",
    "run",
    "property",
    "--testTimeout=600000",
    ...process.argv.slice(2),
  ],
  {
    stdio: "inherit",
    env: { ...process.env, RIDLKIT_RUNS: runs, RIDLKIT_SEED: seed },
  },
);
process.exitCode = status ?? 1;
