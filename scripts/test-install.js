// Tests a first use from packed packages, with the package managers, frameworks
// and runtimes in docs/quick-start.md and docs/frameworks.md, and the guides.
// It is skipped with a message if the npm registry is not reachable.
import { spawnSync } from "node:child_process";

const run = (command) => spawnSync(command, { shell: true, stdio: "inherit" });

if (spawnSync("npm view typescript version", { shell: true }).status !== 0) {
  console.log(
    "NOT RUN: tests of a first use. The npm registry is not reachable.",
  );
} else {
  const { status } = run("npx vitest run --config vitest.install.config.ts");
  process.exitCode = status ?? 1;
}
