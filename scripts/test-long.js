// Runs the property tests with many more cases, from a seed of now, and all cases
// of the tests that draw some, and then what takes long: `*.long.ts`.
// RIDLKIT_RUNS says how many times as many as usual, RIDLKIT_SEED repeats a run.
import { spawnSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

const runs = process.env.RIDLKIT_RUNS ?? "6";
const seed = process.env.RIDLKIT_SEED ?? String(Math.floor(Date.now() / 1000));

const files = readdirSync("test", { recursive: true })
  .map((path) => join("test", path))
  .filter((path) => path.endsWith(".test.ts"))
  .filter((path) =>
    /\bfc\.(assert|check)\(|\bdrawSome\(/.test(readFileSync(path, "utf8")),
  );

console.log(
  `${files.length} files that draw cases, ${runs} times as many runs, seed ${seed}`,
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

// Kills and full load are timed: nothing else runs beside them.
process.exitCode =
  vitest(...files, "--testTimeout=900000", ...process.argv.slice(2)) ||
  vitest("--project", "long") ||
  vitest("--project", "timed", "--no-file-parallelism");
