// Runs generated servers on every host that the documentation names
// (test/behavior/hosts/). If the runtimes cannot be installed, the script only prints a
// message.
//   npm run test:long -- hosts             tests all hosts
//   npm run test:long -- hosts -t Deno     tests only one host
//   npm run test:long -- hosts life-cycle  tests only what lasts longer than a request
import { spawnSync } from "node:child_process";
import { preparePython } from "./prepare-python.js";
import { runPart } from "./run-part.js";

const run = (command) =>
  spawnSync(command, { shell: true, stdio: "inherit" }).status ?? 1;

// `npm ci` requires the packages of other systems in the lock file.
const install =
  "npm install --prefix test/behavior/hosts --no-save --no-audit --no-fund --ignore-scripts";

if (process.platform !== "linux") {
  console.log(
    "NOT RUN: tests on hosts. The lock file has the runtimes only for Linux.",
  );
} else if (
  spawnSync("npm view workerd version", { shell: true }).status !== 0
) {
  console.log("NOT RUN: tests on hosts. The npm registry is not reachable.");
} else {
  const missing = preparePython();
  if (missing !== null)
    console.log(`NOT RUN: Python behind proxies. ${missing}`);
  process.exitCode = run(install) || runPart("hosts", process.argv.slice(2));
}
