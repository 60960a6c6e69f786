import { spawnSync } from "node:child_process";

/** Runs Vitest with some variables. Returns the exit code. */
export function runVitest(words, variables) {
  const { status } = spawnSync(
    process.execPath,
    ["node_modules/vitest/vitest.mjs", "run", ...words],
    { stdio: "inherit", env: { ...process.env, ...variables } },
  );
  return status ?? 1;
}

/** Runs a project of `vitest.config.ts` that only `npm run test:long` has. */
export function runPart(name, words, variables = {}) {
  return runVitest(words, { RIDLKIT_PART: name, ...variables });
}
