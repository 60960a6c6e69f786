// Runs the property tests with more cases and a new seed, all cases of tests
// that normally draw a sample, the slow tests (`*.slow.ts`, `*.long.ts`), the
// command line with Windows paths, and then the parts below. What could not run is
// listed at the end.
//   npm run test:long                         runs everything
//   npm run test:long -- files                runs everything except the parts
//   npm run test:long -- parts                runs only the parts
//   npm run test:long -- hosts                runs only one part
//   npm run test:long -- languages python     runs only some tests of a part
//   npm run test:long -- soak                 runs one long test at its full size
//   npm run test:long -- files --shard=1/6    runs a sixth of the files
// RIDLKIT_RUNS multiplies the number of cases, and RIDLKIT_SEED repeats a run.
// RIDLKIT_SAMPLE repeats fewer times what takes minutes.
import { spawnSync } from "node:child_process";
import { installPackages } from "./test-long/install-packages.js";
import { drawnFiles } from "./test-long/drawn-files.js";
import { parts, sizes } from "./test-long/parts.js";
import { preparePython } from "./test-long/prepare-python.js";
import { runVitest } from "./test-long/run-part.js";
import { runScript } from "./test-long/run-script.js";

const runs = process.env.RIDLKIT_RUNS ?? "3";
const seed = process.env.RIDLKIT_SEED ?? String(Math.floor(Date.now() / 1000));

const vitest = (...words) =>
  runVitest(words, { RIDLKIT_RUNS: runs, RIDLKIT_SEED: seed });

/** Runs one long test at its full size, unless variables state another. */
function runAtSize(name, words) {
  const [project, file, size] = sizes[name];
  const variables = { ...size, ...process.env, RIDLKIT_RUNS: "1" };
  return runVitest(["--project", project, file, ...words], variables);
}

/** Runs one part. */
async function runPart(name, words) {
  if (isRelease) return conclude([await runAll([name, ...words])]);
  const args = [`scripts/test-long/${name}.js`, ...words];
  const options = { stdio: "inherit" };
  return spawnSync(process.execPath, args, options).status ?? 1;
}

// A release must not be published if a part did not run.
const isRelease = process.env.RIDLKIT_RELEASE === "1";
const notRun = [];

/** Lists what did not run. Returns 1 if something failed. */
function conclude(statuses) {
  for (const line of notRun) console.log(line);
  return Math.max(...statuses, isRelease && notRun.length > 0 ? 1 : 0);
}

/** Runs a script with words to its end. */
async function run([script, ...words]) {
  const startedAt = performance.now();
  const end = await runScript([`scripts/test-long/${script}.js`, ...words]);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  return { script, seconds, ...end };
}

/**
 * Runs scripts with their words, two side by side, because most wait for pages, package managers,
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

/** Runs the test files. */
function runFiles(words) {
  const files = drawnFiles();
  console.log(
    `${files.length} files with generated cases, ${runs} times as many runs, seed ${seed}`,
  );
  const isFirst = !words.some((word) => /^--shard=(?!1\/)/u.test(word));
  const run = [
    vitest(
      ...[...files, ".slow.ts", ".long.ts", "--testTimeout=900000"],
      ...untimed.flatMap((name) => ["--project", name]),
      ...words,
    ),
  ];
  if (!isFirst) return run;
  return [
    ...run,
    vitest("--project", "windows"),
    // Tests that kill processes run two side by side, and tests that measure
    // alone.
    vitest("--project", "killed", "--project", "timed"),
  ];
}

/** Runs everything, or one half: `files` or `parts`. */
async function runEverything(half, words) {
  // Several tests need these, and would install them at the same time.
  if (!installPackages("test")) return 1;
  if (!installPackages("platform/chain/contracts")) {
    process.env.RIDLKIT_NO_CONTRACTS = "true";
    notRun.push(
      "NOT RUN: tests with published contracts, such as those of Uniswap V3 and Seaport. npm could not install platform/chain/contracts.",
    );
  }
  preparePython();
  const statuses = half === "parts" ? [] : runFiles(words);
  if (half !== "files")
    statuses.push(await runAll(...parts.map((part) => [part])));
  if (spawnSync("pg_dump", ["--version"]).status !== 0) {
    notRun.push("NOT RUN: most tests of backups. pg_dump is not installed.");
  }
  return conclude(statuses);
}

const [first = "", ...rest] = process.argv.slice(2);
if (parts.includes(first)) process.exitCode = await runPart(first, rest);
else if (first === "ledger") {
  process.env.RIDLKIT_RUNS ??= "34";
  process.exitCode = await runPart("hosts", ["ledger.hosts", ...rest]);
} else if (Object.hasOwn(sizes, first)) {
  process.exitCode = runAtSize(first, rest);
} else if (first === "files" || first === "parts") {
  process.exitCode = await runEverything(first, rest);
} else process.exitCode = await runEverything("all", process.argv.slice(2));
