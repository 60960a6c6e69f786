// Tests first use of the packed packages with the package managers,
// frameworks and runtimes in docs/quick-start.md and docs/frameworks.md, and
// tests the guides. If the npm registry is not reachable, the script prints a
// message and skips the tests.
import { spawnSync } from "node:child_process";
import { runPart } from "./run-part.js";

if (spawnSync("npm view typescript version", { shell: true }).status !== 0) {
  console.log("NOT RUN: first-use tests. The npm registry is not reachable.");
} else {
  process.exitCode = runPart("install", process.argv.slice(2));
}
