import { LRUCache } from "lru-cache";
import { type Hash } from "viem";

import { hashOrder } from "../../seaport/order.js";
import type { StoredOrder } from "./find-orders.js";

/** Whether an order was made while its maker had a counter. */
export type HasCounter = (order: StoredOrder, counter: bigint) => boolean;

/**
 * Tells by hashing the order, and keeps the counter that was right: hashing takes
 * longer than all else that is done with an order.
 */
export function createHasCounter(): HasCounter {
  const known = new LRUCache<Hash, bigint>({ max: 10_000 });
  return ({ parameters, row }, counter) => {
    const right = known.get(row.order_hash);
    if (right !== undefined) return right === counter;
    if (hashOrder(parameters, counter) !== row.order_hash) return false;
    known.set(row.order_hash, counter);
    return true;
  };
}
