// Runs all checks of CI except the long tests, cheapest steps first. All steps
// run, and the summary shows which ones failed.
//   npm run check -- --before-long          omits tests that `npm run test:long` runs
//                                           next, or repeats with more cases
//   npm run check -- --before-long parts    the same, but only `parts` runs next
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { installPackages } from "./test-long/install-packages.js";

const [, next = "files"] = process.argv.slice(
  process.argv.indexOf("--before-long"),
);
if (process.argv.includes("--before-long")) {
  process.env.RIDLKIT_BEFORE_LONG = next;
}

const attw = "test/node_modules/@arethetypeswrong/cli/dist/index.js";

const steps = [
  ["types", "tsc -p tsconfig.json"],
  ["build", "npm run --silent build"],
  ["schema", "node bin/ridl.js check"],
  ["schema format", "node bin/ridl.js fmt --check"],
  ["generated code", "node bin/ridl.js generate --check"],
  ...["console", "relaying"].map((part) => [
    `the contract of ${part}`,
    `node bin/ridl.js check --config platform/${part}/ridl.config.yaml && ` +
      `node bin/ridl.js fmt --check platform/${part}/schema`,
  ]),
  ["packages", "publint --strict && publint --strict runtime/typescript"],
  [
    "package types",
    [".", "runtime/typescript"]
      .map((folder) => `node ${attw} --pack ${folder} --profile esm-only`)
      .join(" && "),
    // Packing would build everything again.
    { npm_config_ignore_scripts: "true" },
  ],
];
// The tests run last, so that their failures are directly above the summary.
const tests = ["tests", "vitest run"];

// npm puts node_modules/.bin into PATH for scripts.
const options = { shell: true, stdio: "inherit" };

function run([name, command, variables]) {
  console.log(`\n> ${name}: ${command}`);
  const startedAt = performance.now();
  const env = { ...process.env, ...variables };
  const { status } = spawnSync(command, { ...options, env });
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  return { name: `${name} (${seconds} s)`, passed: status === 0 };
}

// The types of long tests are checked, too.
const isInstalled = installPackages("test");

// Needs one core, and its result only at the end.
const format = spawn("prettier --check --log-level warn .", options);
const formatted = once(format, "close");

const results = [{ name: "packages of tests", passed: isInstalled }];
results.push(...steps.map(run));
const [status] = await formatted;
results.push({ name: "format", passed: status === 0 }, run(tests));

console.log("");
for (const { name, passed } of results) {
  console.log(`${passed ? "ok    " : "FAILED"} ${name}`);
}
process.exitCode = results.every(({ passed }) => passed) ? 0 : 1;
