// Runs the property tests with more cases and a new seed, all cases of tests
// that normally draw a sample, and then the slow tests (`*.long.ts`).
// RIDLKIT_RUNS multiplies the number of cases, and RIDLKIT_SEED repeats a run.
import { spawnSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

const runs = process.env.RIDLKIT_RUNS ?? "3";
const seed = process.env.RIDLKIT_SEED ?? String(Math.floor(Date.now() / 1000));

const files = readdirSync("test", { recursive: true })
  .map((path) => join("test", path))
  .filter((path) => path.endsWith(".test.ts"))
  .filter((path) =>
    /\bfc\.(assert|check)\(|\bdrawSome\(/.test(readFileSync(path, "utf8")),
  );

console.log(
  `${files.length} files with generated cases, ${runs} times as many runs, seed ${seed}`,
);

const vitest = (...words) =>
  spawnSync(
    process.execPath,
    ["node_modules/vitest/vitest.mjs", "run", ...words],
    {
      stdio: "inherit",
      env: { ...process.env, RIDLKIT_RUNS: runs, RIDLKIT_SEED: seed },
    },
  ).status ?? 1;

// Tests that kill processes or run at full load are sensitive to timing, so
// they run alone.
process.exitCode =
  vitest(...files, "--testTimeout=900000", ...process.argv.slice(2)) ||
  vitest("--project", "long") ||
  vitest("--project", "timed", "--no-file-parallelism");
