import { LRUCache } from "lru-cache";
import { type Hash } from "viem";

import { hashOrder } from "../../seaport/order.js";
import type { StoredOrder } from "./find-orders.js";

/**
 * Returns whether an order was signed with a given value of its maker's
 * counter.
 */
export type HasCounter = (order: StoredOrder, counter: bigint) => boolean;

/**
 * Creates a function that checks counters by hashing orders. It caches matching
 * counters, because hashing is the slowest part of processing an order.
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
