import { test } from "vitest";

import { expectFreshStart } from "./fresh-start.js";
import { openMarket } from "./open-market.js";

test.each([10, 300])(
  "after a reorganization of %i blocks, the order book equals one from a fresh start",
  async (depth) => {
    const market = await openMarket();
    try {
      await expectFreshStart(market, depth);
    } finally {
      await market.stop();
    }
  },
);
