import { setTimeout as sleep } from "node:timers/promises";

import type { Hash } from "viem";

import type { Database } from "../../../database/schema.js";
import { startFollower } from "../../../follower/follower.js";
import { findDeploymentOfAll } from "../../../network/agreement/find-deployment.js";
import type { Network } from "../../../network/networks.js";
import type { Platform } from "../../../parts/platform.js";
import type { Stoppable } from "../../../process/lifecycle/keep-running.js";
import { bookOf, followerOf } from "./book.js";
import { createOrderBook } from "./order-book.js";

/**
 * Orders are only returned if the follower has been at the head of the chain
 * within the last seconds.
 */
const maxPollMs = 1000;

/**
 * Follows the orders of a network until it is stopped.
 *
 * Returns null if the network has no marketplace.
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
    name: followerOf(book),
    addresses: [book.contract],
    maxPollMs,
    firstBlock:
      network.marketplace.startBlock ??
      (() => findDeploymentOfAll(network, book.contract)),
    consumer: createOrderBook(book),
  });
}

const pauseMs = 20;

const patienceMs = 5000;

/**
 * Waits until an order from the chain is stored, up to a time limit.
 *
 * Returns whether it is stored.
 */
export async function waitForOrder(
  database: Database,
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
