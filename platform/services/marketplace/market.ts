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

/** What all methods of the marketplace work with. */
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

/** Puts together what the methods work with. */
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
 * Whose orders are followed on a network.
 *
 * Errors: `Unavailable` when nobody's are: then it is not known that there is
 * none.
 */
export function requireBook(network: Network): Book {
  const book = bookOf(network);
  if (book !== null) return book;
  const { handle } = network;
  const cause = `no orders of ${handle} are followed: the settings can name whose in networks.${handle}.marketplace`;
  throw new UnavailableError({ cause });
}
