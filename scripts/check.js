// Runs all checks of CI except the long tests, cheapest steps first. All steps
// run, and the summary shows which ones failed.
//   npm run check -- --before-long  omits tests that `npm run test:long` repeats
//                                   with more cases
import { spawnSync } from "node:child_process";
import { drawnFiles } from "./drawn-files.js";

const repeated = process.argv.includes("--before-long") ? drawnFiles() : [];
const exclude = (path) => `--exclude ${path}`;

const steps = [
  ["format", "prettier --check --log-level warn ."],
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
  ["packages", "publint --strict && publint --strict runtime"],
  [
    "package types",
    "attw --pack . --profile esm-only && attw --pack runtime --profile esm-only",
  ],
  // The tests run last, so that their failures are directly above the summary.
  ["tests", ["vitest run", ...repeated.map(exclude)].join(" ")],
];

const results = steps.map(([name, command]) => {
  console.log(`\n> ${name}: ${command}`);
  const startedAt = performance.now();
  // npm puts node_modules/.bin into PATH for scripts.
  const { status } = spawnSync(command, { shell: true, stdio: "inherit" });
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  return { name, seconds, passed: status === 0 };
});

console.log("");
for (const { name, seconds, passed } of results) {
  console.log(`${passed ? "ok    " : "FAILED"} ${name} (${seconds} s)`);
}
process.exitCode = results.every(({ passed }) => passed) ? 0 : 1;
