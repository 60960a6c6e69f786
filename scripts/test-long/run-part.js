import { spawnSync } from "node:child_process";

/**
 * Runs a project of `vitest.config.ts` that only `npm run test:long` has. Returns
 * the exit code.
 */
export function runPart(name, words, variables = {}) {
  const { status } = spawnSync(
    process.execPath,
    ["node_modules/vitest/vitest.mjs", "run", ...words],
    {
      stdio: "inherit",
      env: { ...process.env, RIDLKIT_PART: name, ...variables },
    },
  );
  return status ?? 1;
}
