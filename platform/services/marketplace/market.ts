import type { Platform } from "../../parts/platform.js";
import { createFindRoute } from "../api/find-route.js";
import { createFindRate } from "./dollars.js";
import { createOrderFinder } from "./book/find-orders.js";
import { createCheckOrders } from "./order-state.js";
import { createFindPayable } from "./payable-offers.js";
import { createReadBookMoment } from "./book/book-moment.js";

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
    findRate: createFindRate(findRoute),
    checkOrders: createCheckOrders(),
    findPayable: createFindPayable(),
  };
}
