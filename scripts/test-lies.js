// Explores 1,000,000 random worlds of relays for each number of nodes, in which a
// node gives wrong answers, and all orders of events that three minutes reach.
// `npm run test:long` explores fewer. RIDLKIT_SEED repeats a run, and RIDLKIT_LIES
// is the number of worlds.
import { spawnSync } from "node:child_process";

const file = "platform/test/relaying/lying-nodes.long.ts";
const { status } = spawnSync(
  process.execPath,
  ["node_modules/vitest/vitest.mjs", "run", "--project", "long", file],
  {
    stdio: "inherit",
    env: { RIDLKIT_LIES: "1000000", ...process.env, RIDLKIT_RUNS: "1" },
  },
);
process.exitCode = status ?? 1;
