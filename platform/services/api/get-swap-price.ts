import type {
  GetSwapPriceRequest,
  GetSwapPriceResponse,
} from "../../../generated/api/types.js";
import type { Platform } from "../../parts/platform.js";
import { toPurchase, toSellCurrency } from "./swap-order.js";
import { requireRoute, toSwapPrice } from "./swap-price.js";
import type { FindRoute } from "./swap-route.js";

/**
 * Returns the price of buying an amount of one currency with another.
 *
 * Errors: `InvalidArgument`, `QueryFailed` if there is no route, `Unavailable`
 * if no router is known or the chain does not respond.
 */
export async function getSwapPrice(
  platform: Platform,
  findRoute: FindRoute,
  request: GetSwapPriceRequest,
): Promise<GetSwapPriceResponse> {
  const purchase = toPurchase(platform, request);
  const sellCurrency = toSellCurrency(purchase, request.sellCurrencyAddress);
  const route = await requireRoute(findRoute, purchase, sellCurrency);
  // The request contains no user address, so there is no balance.
  return { swapPrice: toSwapPrice(sellCurrency, route, purchase, 0n) };
}
