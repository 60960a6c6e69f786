import { test } from "vitest";

import { startLoaded } from "./load.js";
import { unpackVersionBefore } from "./version-before.js";

test("replaces the version before under load", async () => {
  const cluster = await startLoaded(unpackVersionBefore());
  await cluster.replace(0);
  // Now both versions use the database.
  for (let round = 0; round < 4; round += 1) await cluster.goOn();
  await cluster.replace(1);
  await cluster.goOn();
  await cluster.check();
});
