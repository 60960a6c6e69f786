// Makes calls, streams, uploads and downloads for ten minutes, while clients leave
// and cut connections. Neither heap nor handles of server and client may grow.
// `npm run test:long` does it for one minute. RIDLKIT_SOAK_MINUTES is the time.
import { runLongFile } from "./run-long-file.js";

runLongFile("long", "test/behavior/typescript/soak.long.ts", {
  RIDLKIT_SOAK_MINUTES: "10",
});
