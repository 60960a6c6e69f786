// Writes what the tests expect anew. Read the difference before you commit it.
import { spawnSync } from "node:child_process";

const { status } = spawnSync(
  process.execPath,
  [
    "node_modules/vitest/vitest.mjs",
    "run",
    "--update",
    ...process.argv.slice(2),
  ],
  { stdio: "inherit", env: { ...process.env, UPDATE_GOLDEN: "1" } },
);
process.exitCode = status ?? 1;
