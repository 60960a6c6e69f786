import type {
  GetOrdersRequest,
  GetOrdersResponse,
} from "../../../generated/marketplace/types.js";
import type { Network } from "../../network/networks.js";
import { requireBook } from "./book/book.js";
import type { Market } from "./market.js";
import { sortOrders } from "./sort-orders.js";
import { seaportMarketplace, toOrder } from "./to-order.js";

/**
 * Returns a page of the requested orders, oldest first by default.
 *
 * Errors: `InvalidArgument` for a column that does not support sorting,
 * `Unavailable` if the network's orders are not followed or its chain does not
 * respond.
 */
export async function getOrders(
  market: Market,
  network: Network,
  { input, page = { page: 1, pageSize: 30 } }: GetOrdersRequest,
): Promise<GetOrdersResponse> {
  const book = requireBook(network);
  const names = input
    .filter(({ marketplace = seaportMarketplace }) => {
      return marketplace === seaportMarketplace;
    })
    .map(({ contractAddress, orderId }) => ({
      collection: contractAddress,
      orderHash: orderId,
    }));
  const stored = await market.orders.named(book, names);
  const moment = await market.readMoment(network, book);
  const checked = await market.checkOrders(network, book, moment, stored);
  const orders = await Promise.all(
    checked.map(async (order) => {
      const { currency } = order.trade;
      const rate = await market.findRate(network, moment.head, currency);
      return toOrder(order, rate);
    }),
  );
  const sorted = sortOrders(orders, page.sort ?? []);
  const start = (page.page - 1) * page.pageSize;
  const end = start + page.pageSize;
  return {
    orders: sorted.slice(start, end),
    page: { ...page, more: end < sorted.length },
  };
}
