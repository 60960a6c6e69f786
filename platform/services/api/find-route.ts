import { cheaper, type FindRoute, type SwapRoute } from "./swap-route.js";
import { createFindV2Route } from "./uniswap-v2.js";
import { createFindV3Route } from "./uniswap-v3.js";

/**
 * Finds routes through the pools of Uniswap V2 and V3 on each network: from one
 * currency to the other, or by way of the wrapped native currency or of one that
 * the network's settings name.
 *
 * Output: the cheapest; null where there is none, or not enough in its pools.
 * Errors: `Unavailable` when the chain does not answer.
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
