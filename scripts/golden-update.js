// Writes what the tests expect anew. Read the difference before you commit it.
import { spawnSync } from "node:child_process";

const { status } = spawnSync(
  process.execPath,
  [
    "node_modules/vitest/vitest.mjs",
    "run",
    // Behind the paths: it would take one for its value.
    ...process.argv.slice(2),
    "--update",
  ],
  { stdio: "inherit", env: { ...process.env, UPDATE_GOLDEN: "1" } },
);
process.exitCode = status ?? 1;
