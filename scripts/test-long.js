// Runs the property tests with many more cases, from a seed of now.
// RIDLKIT_RUNS says how many times as many as usual, RIDLKIT_SEED repeats a run.
import { spawnSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

const runs = process.env.RIDLKIT_RUNS ?? "10";
const seed = process.env.RIDLKIT_SEED ?? String(Math.floor(Date.now() / 1000));

const files = readdirSync("test", { recursive: true })
  .map((path) => join("test", path))
  .filter((path) => path.endsWith(".test.ts"))
  .filter((path) => /\bfc\.(assert|check)\(/.test(readFileSync(path, "utf8")));

console.log(
  `${files.length} files with property tests, ${runs} times as many runs, seed ${seed}`,
);

const { status } = spawnSync(
  process.execPath,
  [
    "node_modules/vitest/vitest.mjs",
    "run",
    ...files,
    "--testTimeout=900000",
    ...process.argv.slice(2),
  ],
  {
    stdio: "inherit",
    env: { ...process.env, RIDLKIT_RUNS: runs, RIDLKIT_SEED: seed },
  },
);
process.exitCode = status ?? 1;
