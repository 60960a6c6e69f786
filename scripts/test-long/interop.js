// Uses other generators to create clients from ridlkit's OpenAPI documents. The
// clients then call a server (interop/). If the npm registry is not reachable,
// the script only prints a message.
import { spawnSync } from "node:child_process";

const run = (command) =>
  spawnSync(command, { shell: true, stdio: "inherit" }).status ?? 1;

if (spawnSync("npm view orval version", { shell: true }).status !== 0) {
  console.log(
    "NOT RUN: clients from other generators. The npm registry is not reachable.",
  );
} else {
  process.exitCode =
    run(
      "npm ci --prefix test/interop/tools --no-audit --no-fund --ignore-scripts",
    ) ||
    run(["node test/interop/tools/run.js", ...process.argv.slice(2)].join(" "));
}
