// Runs one file of the long tests with other numbers than `npm run test:long`.
import { spawnSync } from "node:child_process";

/** Input: the Vitest project of the file, and defaults of variables. */
export function runLongFile(project, file, defaults) {
  const { status } = spawnSync(
    process.execPath,
    ["node_modules/vitest/vitest.mjs", "run", "--project", project, file],
    {
      stdio: "inherit",
      env: { ...defaults, ...process.env, RIDLKIT_RUNS: "1" },
    },
  );
  process.exitCode = status ?? 1;
}
