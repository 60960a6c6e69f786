import { type Address, getAddress } from "viem";

import type { Network } from "../../network/networks.js";
import { readChain } from "../../network/read-chain.js";
import type { SwapSettings } from "../../settings/settings.js";
import { isNative, isSameAddress } from "./currency.js";
import { routerAbi } from "./router-abi.js";
import type { Purchase } from "./swap-order.js";

/** The cheapest way from one currency to another. */
export interface SwapRoute {
  readonly router: Address;
  /** Currencies from the one sold to the one bought; wrapped, where native. */
  readonly path: readonly Address[];
  /** What the amount to buy costs of the first. */
  readonly price: bigint;
}

/** Finds routes on all networks. */
export type FindRoute = (
  purchase: Purchase,
  sellCurrency: string,
) => Promise<SwapRoute | null>;

/**
 * Finds routes through the pools of each network's router: from one currency
 * to the other, or by way of the wrapped native currency or of one that the
 * network's settings name.
 *
 * Output: the cheapest; null where there is none, or not enough in its pools.
 * Errors: `Unavailable` when the chain does not answer.
 */
export function createFindRoute(): FindRoute {
  // A router's wrapped currency is fixed: asked for once.
  const wrapped = new Map<string, Address>();
  const wrappedOf = async (network: Network, router: Address) => {
    const key = `${network.chainId} ${router}`;
    const known = wrapped.get(key);
    if (known !== undefined) return known;
    const address = await readChain(network, (client) =>
      client.readContract({
        address: router,
        abi: routerAbi,
        functionName: "WETH",
      }),
    );
    if (address !== null) wrapped.set(key, address);
    return address;
  };
  return async (purchase, sellCurrency) => {
    const { swap } = purchase.network;
    if (swap === null) return null;
    const router = getAddress(swap.router);
    const native = await wrappedOf(purchase.network, router);
    if (native === null) return null;
    const ends = [sellCurrency, purchase.buyCurrency].map((currency) =>
      isNative(currency) ? native : getAddress(currency),
    );
    const paths = pathsBetween(ends, native, swap);
    const routes = await Promise.all(
      paths.map((path) => priceRoute(purchase, router, path)),
    );
    return routes.reduce(cheaper, null);
  };
}

function pathsBetween(
  [sold, bought]: readonly Address[],
  native: Address,
  { currencies }: SwapSettings,
): readonly (readonly Address[])[] {
  if (sold === undefined || bought === undefined) return [];
  // One is the other, wrapped: no pool holds both.
  if (isSameAddress(sold, bought)) return [];
  const between = new Set([
    native,
    ...currencies.map((one) => getAddress(one)),
  ]);
  between.delete(sold);
  between.delete(bought);
  return [[sold, bought], ...[...between].map((via) => [sold, via, bought])];
}

async function priceRoute(
  { network, buyAmount }: Purchase,
  router: Address,
  path: readonly Address[],
): Promise<SwapRoute | null> {
  const amounts = await readChain(network, (client) =>
    client.readContract({
      address: router,
      abi: routerAbi,
      functionName: "getAmountsIn",
      args: [buyAmount, path],
    }),
  );
  const price = amounts?.[0];
  return price === undefined ? null : { router, path, price };
}

function cheaper(
  one: SwapRoute | null,
  other: SwapRoute | null,
): SwapRoute | null {
  if (one === null || other === null) return one ?? other;
  return other.price < one.price ? other : one;
}
