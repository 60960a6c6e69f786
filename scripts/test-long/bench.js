// Runs every benchmark with small inputs, to check that each one works. The
// figures mean nothing. If the tools cannot be installed, the script only prints
// a message.
import { spawnSync } from "node:child_process";

const run = (command) =>
  spawnSync(command, { shell: true, stdio: "inherit" }).status ?? 1;

if (spawnSync("npm view fastify version", { shell: true }).status !== 0) {
  console.log("NOT RUN: benchmarks. The npm registry is not reachable.");
} else {
  process.exitCode =
    run("npm ci --prefix bench --no-audit --no-fund") ||
    run("node bench/run.js --quick");
}
