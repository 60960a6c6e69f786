// Makes 10,000 calls with idempotency keys to two instances of the platform while
// connections are cut and instances are killed 100 times, which takes some
// minutes. `npm run test:long` makes fewer calls. RIDLKIT_SEED repeats a run, and
// RIDLKIT_KEYED_CALLS and RIDLKIT_KILLS are the numbers of calls and of kills.
import { runLongFile } from "./run-long-file.js";

runLongFile("timed", "platform/test/instances/keyed-calls.long.ts", {
  RIDLKIT_KEYED_CALLS: "10000",
  RIDLKIT_KILLS: "100",
});
