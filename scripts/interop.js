// Makes clients from ridlkit's OpenAPI with generators of others, and has them call
// a server (interop/). Needs npm's registry, and says so where there is none.
import { spawnSync } from "node:child_process";

const run = (command) =>
  spawnSync(command, { shell: true, stdio: "inherit" }).status ?? 1;

if (spawnSync("npm view orval version", { shell: true }).status !== 0) {
  console.log("NOT RUN: clients of others. The registry does not answer.");
} else {
  process.exitCode =
    run("npm ci --prefix interop --no-audit --no-fund --ignore-scripts") ||
    run(["node interop/run.js", ...process.argv.slice(2)].join(" "));
}
