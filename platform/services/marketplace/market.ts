import { UnavailableError } from "../../../generated/errors.js";
import type { Network } from "../../network/networks.js";
import type { Platform } from "../../parts/platform.js";
import { createFindRoute } from "../api/find-route.js";
import { createFindRate } from "./dollars.js";
import { type Book, bookOf } from "./book.js";
import { createOrderFinder } from "./find-orders.js";
import { createCheckOrders } from "./order-state.js";
import { createFindPayable } from "./payable-offers.js";
import { createReadBookMoment } from "./book-moment.js";
import { createReadNamed } from "./read-named.js";

/** Dependencies of the marketplace's methods. */
export type Market = ReturnType<typeof createMarket>;

/** Creates the dependencies of the methods. */
export function createMarket(platform: Platform) {
  const { database } = platform;
  const findRoute = createFindRoute();
  const orders = createOrderFinder(database);
  const readMoment = createReadBookMoment(database);
  return {
    platform,
    orders,
    readMoment,
    findRoute,
    readNamed: createReadNamed(orders, readMoment),
    findRate: createFindRate(findRoute),
    checkOrders: createCheckOrders(),
    findPayable: createFindPayable(),
  };
}

/**
 * Returns the followed marketplace on a network.
 *
 * Errors: `Unavailable` if there is none, because its orders are then unknown.
 */
export function requireBook(network: Network): Book {
  const book = bookOf(network);
  if (book !== null) return book;
  const { handle } = network;
  const cause = `orders on ${handle} are not followed: set networks.${handle}.marketplace in the settings`;
  throw new UnavailableError({ cause });
}
