import { createHeadCache } from "../../network/head-cache.js";
import type { Network } from "../../network/networks.js";
import type { Book } from "./book.js";
import type { BookMoment, ReadBookMoment } from "./book-moment.js";
import type { OrderFinder, OrderName, StoredOrder } from "./find-orders.js";

/** Orders and the point in time that they were read at. */
export interface OrdersAtMoment {
  readonly moment: BookMoment;
  /** The orders, oldest first and without duplicates. */
  readonly orders: readonly StoredOrder[];
}

/**
 * Reads stored orders by their identifiers.
 *
 * Errors: `Unavailable` if neither the follower's nor the chain's last block is
 * known. This applies even if none of the orders exists.
 */
export type ReadNamed = (
  network: Network,
  book: Book,
  names: readonly OrderName[],
) => Promise<OrdersAtMoment>;

/** The result of a lookup. */
interface Entry {
  /** The order, or null if it does not exist. */
  readonly order: StoredOrder | null;
}

/**
 * Creates a reader that caches orders until the next block. Stored orders only
 * change when a block is processed, but an imported order may be missing until
 * the next block.
 */
export function createReadNamed(
  finder: OrderFinder,
  readMoment: ReadBookMoment,
): ReadNamed {
  const entriesAt = createHeadCache<Entry>();
  return async (network, book, names) => {
    const before = await readMoment(network, book);
    const known = before.isFollowed ? entriesAt(network, before.head) : null;
    const entries = names.map((name) => known?.get(keyOf(name)));
    if (entries.every((entry) => entry !== undefined)) {
      return { moment: before, orders: ordersOf(entries) };
    }
    const orders = await finder.named(book, names);
    const moment = await readMoment(network, book);
    // If the block has changed, it is unknown which of the two blocks the
    // orders belong to.
    const isSame = moment.isFollowed && moment.head.hash === before.head.hash;
    if (isSame) {
      const found = new Map(orders.map((order) => [keyOfOrder(order), order]));
      for (const key of names.map(keyOf)) {
        known?.set(key, { order: found.get(key) ?? null });
      }
    }
    return { moment, orders };
  };
}

function keyOf({ collection, orderHash }: OrderName): string {
  return `${collection} ${orderHash}`.toLowerCase();
}

function keyOfOrder({ row, trade }: StoredOrder): string {
  return keyOf({ collection: trade.collection, orderHash: row.order_hash });
}

function ordersOf(entries: readonly Entry[]): readonly StoredOrder[] {
  const orders = new Set(entries.map(({ order }) => order));
  return [...orders]
    .filter((order) => order !== null)
    .sort((one, other) => one.row.id - other.row.id);
}
