// Explores 1,000,000 random worlds of relays for each number of nodes, in which a
// node gives wrong answers, and all orders of events that three minutes reach.
// `npm run test:long` explores fewer. RIDLKIT_SEED repeats a run, and RIDLKIT_LIES
// is the number of worlds.
import { runLongFile } from "./run-long-file.js";

runLongFile("long", "platform/test/relaying/lying-nodes.long.ts", {
  RIDLKIT_LIES: "1000000",
});
