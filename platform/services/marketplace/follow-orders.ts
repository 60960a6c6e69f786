import { setTimeout as sleep } from "node:timers/promises";

import type { Kysely } from "kysely";
import type { Hash } from "viem";

import type { Tables } from "../../database/schema.js";
import { startFollower } from "../../follower/follower.js";
import type { Network } from "../../network/networks.js";
import type { Platform } from "../../parts/platform.js";
import type { Stoppable } from "../../process/keep-running.js";
import { bookOf } from "./book.js";
import { createOrderBook } from "./order-book.js";

/**
 * Follows the orders of a network, until it is stopped.
 *
 * Output: null when the network has no marketplace.
 */
export function followOrders(
  { database, log }: Pick<Platform, "database" | "log">,
  network: Network,
): Stoppable | null {
  const book = bookOf(network);
  if (book === null || network.marketplace === null) return null;
  return startFollower({
    database,
    log,
    network,
    // Another contract is followed from its own first block on.
    name: `orders of ${book.contract}`,
    addresses: [book.contract],
    firstBlock: network.marketplace.startBlock,
    consumer: createOrderBook(book),
  });
}

const pauseMs = 20;

const patienceMs = 5000;

/**
 * Waits until an order that the chain has is known, for a while.
 *
 * Output: whether it is.
 */
export async function waitForOrder(
  database: Kysely<Tables>,
  orderHash: Hash,
): Promise<boolean> {
  const end = performance.now() + patienceMs;
  for (;;) {
    const row = await database
      .selectFrom("marketplace_orders")
      .select("id")
      .where("order_hash", "=", orderHash)
      .executeTakeFirst();
    if (row !== undefined) return true;
    if (performance.now() > end) return false;
    await sleep(pauseMs);
  }
}
