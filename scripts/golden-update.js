// Updates the expected output of tests. Read the diff before you commit it.
import { spawnSync } from "node:child_process";

const { status } = spawnSync(
  process.execPath,
  [
    "node_modules/vitest/vitest.mjs",
    "run",
    // The option comes last, because Vitest would read a path after the option
    // as its value.
    ...process.argv.slice(2),
    "--update",
  ],
  { stdio: "inherit", env: { ...process.env, UPDATE_GOLDEN: "1" } },
);
process.exitCode = status ?? 1;
