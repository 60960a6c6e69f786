import type {
  GetSwapPricesRequest,
  GetSwapPricesResponse,
  SwapPrice,
} from "../../../generated/api/types.js";
import type { Platform } from "../../parts/platform.js";
import { isSameAddress, nativeCurrency } from "./currency.js";
import { type Purchase, toPurchase } from "./swap-order.js";
import { readBalance, toSwapPrice } from "./swap-price.js";
import { type FindRoute, requireSwap, type SwapRoute } from "./swap-route.js";

/**
 * Returns the price of buying an amount of a currency with each currency that
 * the user owns enough of. It considers the native currency and the currencies
 * in the network's settings.
 *
 * Errors: `InvalidArgument`, `Unavailable` if no router is known or the chain
 * does not respond.
 */
export async function getSwapPrices(
  platform: Platform,
  findRoute: FindRoute,
  request: GetSwapPricesRequest,
): Promise<GetSwapPricesResponse> {
  const purchase = toPurchase(platform, request);
  requireSwap(purchase.network);
  const swaps = await findSwaps(purchase, findRoute, request.userAddress);
  return { swapPrices: swaps.map(({ price }) => price) };
}

/** A swap that the user can afford. */
export interface PayableSwap {
  readonly price: SwapPrice;
  readonly route: SwapRoute;
}

/**
 * Finds a swap for each currency that the user has enough of.
 *
 * Errors: `Unavailable` if the chain does not respond.
 */
export async function findSwaps(
  purchase: Purchase,
  findRoute: FindRoute,
  user: string,
): Promise<readonly PayableSwap[]> {
  const named = purchase.network.swap?.currencies ?? [];
  const swaps = await Promise.all(
    [nativeCurrency, ...named]
      .filter((currency) => !isSameAddress(currency, purchase.buyCurrency))
      .map((currency) => findSwap(user, purchase, currency, findRoute)),
  );
  return swaps.filter((swap) => swap !== null);
}

/** Returns null if the user cannot pay with this currency. */
async function findSwap(
  user: string,
  purchase: Purchase,
  currency: string,
  findRoute: FindRoute,
): Promise<PayableSwap | null> {
  const [route, balance] = await Promise.all([
    findRoute(purchase, currency),
    readBalance(purchase.network, currency, user),
  ]);
  if (route === null) return null;
  const price = toSwapPrice(currency, route, purchase, balance);
  return balance < BigInt(price.maxPrice) ? null : { price, route };
}
