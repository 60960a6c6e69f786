import { test } from "vitest";

import { expectFreshStart } from "./fresh-start.js";
import { openMarket } from "./open-market.js";

test("after a reorganization of 300 blocks, the order book equals one from a fresh start", async () => {
  const market = await openMarket();
  try {
    await expectFreshStart(market, 300);
  } finally {
    await market.stop();
  }
});
