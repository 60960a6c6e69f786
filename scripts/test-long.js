// Runs the property tests with more cases and a new seed, all cases of tests
// that normally draw a sample, the slow tests (`*.slow.ts`, `*.long.ts`), the
// command line with Windows paths, and then the browser tests, the host tests,
// the first-use tests, the tests with other generators and of other languages,
// the conformance suite of MCP, and a quick run of the benchmarks. What could not
// run is listed at the end.
// RIDLKIT_RUNS multiplies the number of cases, and RIDLKIT_SEED repeats a run.
// RIDLKIT_SAMPLE repeats fewer times what takes minutes, and with RIDLKIT_SHARE
// the long suites run only a part of their files, such as the first half (1/2).
import { spawn, spawnSync } from "node:child_process";
import { drawnFiles } from "./drawn-files.js";
import { leftToOthers, vitestShare } from "./share.js";

const runs = process.env.RIDLKIT_RUNS ?? "3";
const seed = process.env.RIDLKIT_SEED ?? String(Math.floor(Date.now() / 1000));

const files = drawnFiles();

console.log(
  `${files.length} files with generated cases, ${runs} times as many runs, seed ${seed}`,
);

const vitest = (...words) =>
  spawnSync(
    process.execPath,
    ["node_modules/vitest/vitest.mjs", "run", ...vitestShare, ...words],
    {
      stdio: "inherit",
      env: { ...process.env, RIDLKIT_RUNS: runs, RIDLKIT_SEED: seed },
    },
  ).status ?? 1;

const notRun = [...leftToOthers];

/** Runs a script to its end. */
function run(script) {
  const child = spawn(process.execPath, [`scripts/${script}.js`], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (data) => output.push(data));
  }
  const startedAt = performance.now();
  return new Promise((resolve) => {
    child.on("close", (code) => {
      const text = Buffer.concat(output).toString();
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
      resolve({ script, text, seconds, status: code ?? 1 });
    });
  });
}

/**
 * Runs scripts, two side by side, because most wait for pages, package managers,
 * and registries. Prints what each of them wrote: last what the failed ones did,
 * so that it is at the end of a log. Returns 1 if one failed.
 */
async function runAll(...scripts) {
  const left = [...scripts];
  const ends = [];
  const runLeft = async () => {
    while (left.length > 0) ends.push(await run(left.shift()));
  };
  await Promise.all([runLeft(), runLeft()]);
  const failed = ends.filter(({ status }) => status !== 0);
  const passed = ends.filter(({ status }) => status === 0);
  for (const { script, text, seconds } of [...passed, ...failed]) {
    process.stdout.write(`\n> ${script} (${seconds} s)\n${text}`);
    notRun.push(...(text.match(/^NOT RUN: .+$/gmu) ?? []));
  }
  for (const { script } of failed) console.log(`FAILED ${script}`);
  return failed.length > 0 ? 1 : 0;
}

const untimed = ["isolated", "ridlkit", "slow*", "long"];

// Tests that kill processes or run at full load are sensitive to timing, so
// they run alone.
process.exitCode =
  vitest(
    ...[...files, ".slow.ts", ".long.ts", "--testTimeout=900000"],
    ...untimed.flatMap((name) => ["--project", name]),
    ...process.argv.slice(2),
  ) ||
  vitest("--project", "windows") ||
  vitest("--project", "timed", "--no-file-parallelism") ||
  (await runAll(
    "test-browser",
    "test-frameworks",
    "test-hosts",
    "test-install",
    "test-languages",
    "interop",
    "test-bench",
    "mcp-conformance",
  ));
if (spawnSync("pg_dump", ["--version"]).status !== 0) {
  notRun.push("NOT RUN: most tests of backups. pg_dump is not installed.");
}
for (const line of notRun) console.log(line);
