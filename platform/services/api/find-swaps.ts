import type { SwapPrice } from "../../../generated/api/types.js";
import { isSameAddress, nativeCurrency } from "./currency.js";
import type { Purchase } from "./swap-order.js";
import { readBalance, toSwapPrice } from "./swap-price.js";
import type { FindRoute, SwapRoute } from "./swap-route.js";

/** A swap that the user can afford. */
export interface PayableSwap {
  readonly price: SwapPrice;
  readonly route: SwapRoute;
}

/**
 * Finds a swap for each currency that the user has enough of. Considers the
 * native currency and the currencies in the network's settings.
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
