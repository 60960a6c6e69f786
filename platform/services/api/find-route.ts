import { cheaper, type FindRoute, type SwapRoute } from "./swap-route.js";
import { createFindV2Route } from "./uniswap-v2.js";
import { createFindV3Route } from "./uniswap-v3.js";

/**
 * Creates a function that finds routes through the Uniswap V2 and V3 pools of
 * each network: directly from one currency to the other, or through the wrapped
 * native currency or a currency that the network's settings list.
 *
 * Returns the cheapest route, or null if no route has enough liquidity.
 * Errors: `Unavailable` if the chain does not respond.
 */
export function createFindRoute(): FindRoute {
  const providers = [createFindV2Route(), createFindV3Route()];
  return async (purchase, sellCurrency, blockHash = null) => {
    const { swap } = purchase.network;
    if (swap === null) return null;
    const routes = await Promise.all(
      providers.map((find) => find(swap, purchase, sellCurrency, blockHash)),
    );
    return routes.reduce<SwapRoute | null>(cheaper, null);
  };
}
