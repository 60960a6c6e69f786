import { createHeadCache } from "../../../network/head-cache.js";
import type { Network } from "../../../network/networks.js";
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
 * Creates a function that reads stored orders by their identifiers. It caches
 * them until the next block, because stored orders only change when a block is
 * processed. It looks up missing orders every time, because they can be imported
 * at any moment.
 *
 * Errors: `Unavailable` if neither the follower's nor the chain's last block is
 * known. This applies even if none of the orders exists.
 */
export function createReadNamed(
  finder: OrderFinder,
  readMoment: ReadBookMoment,
) {
  const ordersAt = createHeadCache<StoredOrder>();
  return async (
    network: Network,
    book: Book,
    names: readonly OrderName[],
  ): Promise<OrdersAtMoment> => {
    const before = await readMoment(network, book);
    const known = before.isFollowed ? ordersAt(network, before.head) : null;
    const cached = names.map((name) => known?.get(keyOf(name)));
    if (cached.every((order) => order !== undefined)) {
      return { moment: before, orders: distinct(cached) };
    }
    const orders = await finder.named(book, names);
    const moment = await readMoment(network, book);
    // If the block has changed, it is unknown which of the two blocks the
    // orders belong to.
    const isSame = moment.isFollowed && moment.head.hash === before.head.hash;
    if (isSame) {
      for (const order of orders) known?.set(keyOfOrder(order), order);
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

function distinct(orders: readonly StoredOrder[]): readonly StoredOrder[] {
  return [...new Set(orders)].sort((one, other) => one.row.id - other.row.id);
}
