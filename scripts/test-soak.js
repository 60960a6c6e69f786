// Makes calls, streams, uploads and downloads for ten minutes, while clients leave
// and cut connections. Neither heap nor handles of server and client may grow.
// `npm run test:long` does it for one minute. RIDLKIT_SOAK_MINUTES is the time.
import { spawnSync } from "node:child_process";

const file = "test/runtime/soak.long.ts";
const { status } = spawnSync(
  process.execPath,
  ["node_modules/vitest/vitest.mjs", "run", "--project", "long", file],
  {
    stdio: "inherit",
    env: { RIDLKIT_SOAK_MINUTES: "10", ...process.env, RIDLKIT_RUNS: "1" },
  },
);
process.exitCode = status ?? 1;
