// Makes 10,000 calls with idempotency keys to two instances of the platform while
// connections are cut and instances are killed 100 times, which takes some
// minutes. `npm run test:long` makes fewer calls. RIDLKIT_SEED repeats a run, and
// RIDLKIT_KEYED_CALLS and RIDLKIT_KILLS are the numbers of calls and of kills.
import { spawnSync } from "node:child_process";

const file = "platform/test/instances/keyed-calls.long.ts";
const { status } = spawnSync(
  process.execPath,
  ["node_modules/vitest/vitest.mjs", "run", "--project", "timed", file],
  {
    stdio: "inherit",
    env: {
      RIDLKIT_KEYED_CALLS: "10000",
      RIDLKIT_KILLS: "100",
      ...process.env,
      RIDLKIT_RUNS: "1",
    },
  },
);
process.exitCode = status ?? 1;
