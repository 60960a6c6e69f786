import { expect, test } from "vitest";

import {
  type Order,
  OrderSide,
  OrderStatus,
  SortOrder,
} from "../../../generated/marketplace/types.js";
import { sortOrders } from "../../services/marketplace/sort-orders.js";
import { toOrder } from "../../services/marketplace/to-order.js";
import { makeStoredOrder } from "./make-stored-order.js";

const price = { each: 1n, eachNet: 1n, total: 1n, fees: [] };
const order = toOrder(
  {
    ...makeStoredOrder(1n),
    state: {
      status: OrderStatus.active,
      price,
      decimals: 0,
      remaining: 1n,
      available: 1n,
      royaltyReceiver: null,
    },
  },
  null,
);

const [early, late] = ["2026-01-01T00:00:00.000Z", "2026-01-02T00:00:00.000Z"];

test.each<readonly [keyof Order, string | number, string | number]>([
  ["id", 9, 10],
  ["collectionId", 9, 10],
  ["orderId", "0x1", "0x2"],
  ["collectionContractAddress", "0x1", "0x2"],
  ["tokenId", "9", "10"],
  ["createdBy", "0x1", "0x2"],
  ["priceAmount", "9", "10"],
  ["priceAmountNet", "9", "10"],
  ["priceCurrencyAddress", "0x1", "0x2"],
  ["priceUSD", 9, 10],
  ["quantityInitial", "9", "10"],
  ["quantityRemaining", "9", "10"],
  ["quantityAvailable", "9", "10"],
  ["feeBps", 9, 10],
  ["validFrom", early, late],
  ["validUntil", early, late],
  ["createdAt", early, late],
  ["updatedAt", early, late],
  ["orderCreatedAt", early, late],
  ["orderUpdatedAt", early, late],
  ["blockNumber", 9, 10],
  ["side", OrderSide.listing, OrderSide.offer],
  ["status", OrderStatus.active, OrderStatus.filled],
])("sorts orders by %s", (column, low, high) => {
  const [first, second] = [low, high].map((value) => ({
    ...order,
    [column]: value,
  }));
  if (first === undefined || second === undefined) expect.unreachable();
  expect(sortOrders([second, first], [{ column }])).toEqual([first, second]);
  const downwards = [{ column, order: SortOrder.DESC }];
  expect(sortOrders([first, second], downwards)).toEqual([second, first]);
});
