import type {
  GetSwapPricesRequest,
  GetSwapPricesResponse,
  SwapPrice,
} from "../../../generated/api/types.js";
import type { Platform } from "../../parts/platform.js";
import { isSameAddress, nativeCurrency } from "./currency.js";
import { type Purchase, toPurchase } from "./swap-order.js";
import { readBalance, toSwapPrice } from "./swap-price.js";
import type { FindRoute } from "./swap-route.js";

/**
 * Prices of buying an amount of a currency with each that the user owns enough
 * of: the native one, and those that the network's settings name.
 *
 * Errors: `InvalidArgument`, `Unavailable` when the chain does not answer.
 */
export async function getSwapPrices(
  platform: Platform,
  findRoute: FindRoute,
  request: GetSwapPricesRequest,
): Promise<GetSwapPricesResponse> {
  const purchase = toPurchase(platform, request);
  const named = purchase.network.swap?.currencies ?? [];
  const prices = await Promise.all(
    [nativeCurrency, ...named]
      .filter((currency) => !isSameAddress(currency, purchase.buyCurrency))
      .map((currency) =>
        priceFor(request.userAddress, purchase, currency, findRoute),
      ),
  );
  return { swapPrices: prices.filter((price) => price !== null) };
}

/** Null for a currency with which the user cannot pay. */
async function priceFor(
  user: string,
  purchase: Purchase,
  currency: string,
  findRoute: FindRoute,
): Promise<SwapPrice | null> {
  const [route, balance] = await Promise.all([
    findRoute(purchase, currency),
    readBalance(purchase.network, currency, user),
  ]);
  if (route === null) return null;
  const price = toSwapPrice(currency, route, purchase, balance);
  return balance < BigInt(price.maxPrice) ? null : price;
}
