// Tries a first use from packed packages, with the package managers, frameworks
// and runtimes that docs/quick-start.md and docs/frameworks.md name. Needs npm's
// registry, and says so where there is none.
import { spawnSync } from "node:child_process";

const run = (command) => spawnSync(command, { shell: true, stdio: "inherit" });

if (spawnSync("npm view typescript version", { shell: true }).status !== 0) {
  console.log("NOT RUN: tests of a first use. The registry does not answer.");
} else {
  const { status } = run("npx vitest run --config vitest.install.config.ts");
  process.exitCode = status ?? 1;
}
