import { expect, test } from "vitest";

import { OrderStatus } from "../../../generated/marketplace/types.js";
import { toOrder } from "../../services/marketplace/to-order.js";
import { makeStoredOrder } from "./make-stored-order.js";

test.each([
  [0n, "0.00"],
  [1_996n, "2.00"],
  [1_234_560n, "1234.56"],
  [10n ** 24n, "1000000000000000000000.00"],
])("formats a price of %d thousandths of a dollar as %s", (each, expected) => {
  const price = { each, eachNet: each, total: each, fees: [] };
  const state = {
    ...{
      status: OrderStatus.active,
      price,
      decimals: 3,
      royaltyReceiver: null,
    },
    ...{ remaining: 1n, available: 1n },
  };
  const rate = { dollarParts: 1n, partsOfDollar: 1n, partsOfUnit: 1_000n };
  const order = toOrder({ ...makeStoredOrder(1n), state }, rate);
  expect(order.priceUSDFormatted).toBe(expected);
});
