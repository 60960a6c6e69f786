import { UnavailableError } from "../../../generated/errors.js";
import type { Network } from "../../network/networks.js";
import type { Platform } from "../../parts/platform.js";
import { createFindRoute } from "../api/find-route.js";
import type { FindRoute } from "../api/swap-route.js";
import { createFindRate, type FindRate } from "./dollars.js";
import { type Book, bookOf } from "./book.js";
import { createOrderFinder, type OrderFinder } from "./find-orders.js";
import { type CheckOrders, createCheckOrders } from "./order-state.js";
import { createFindPayable, type FindPayable } from "./payable-offers.js";
import { createReadBookMoment, type ReadBookMoment } from "./book-moment.js";
import { createReadNamed, type ReadNamed } from "./read-named.js";

/** Dependencies of the marketplace's methods. */
export interface Market {
  readonly platform: Platform;
  readonly orders: OrderFinder;
  readonly readMoment: ReadBookMoment;
  readonly readNamed: ReadNamed;
  readonly findRoute: FindRoute;
  readonly findRate: FindRate;
  readonly checkOrders: CheckOrders;
  readonly findPayable: FindPayable;
}

/** Creates the dependencies of the methods. */
export function createMarket(platform: Platform): Market {
  const findRoute = createFindRoute();
  const findRate = createFindRate(findRoute);
  const checkOrders = createCheckOrders();
  const findPayable = createFindPayable();
  const orders = createOrderFinder(platform.database);
  const readMoment = createReadBookMoment(platform.database);
  const readNamed = createReadNamed(orders, readMoment);
  const checks = { checkOrders, findPayable, findRate, findRoute };
  return { platform, orders, readMoment, readNamed, ...checks };
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
