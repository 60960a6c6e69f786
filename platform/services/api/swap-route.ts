import { type Address, getAddress, type Hash } from "viem";

import { Batch } from "../../network/batch.js";
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

/** Finds routes on all networks, at a block; at the last one unless given. */
export type FindRoute = (
  purchase: Purchase,
  sellCurrency: string,
  blockHash?: Hash | null,
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
  return async (purchase, sellCurrency, blockHash = null) => {
    const { buyAmount, buyCurrency, network } = purchase;
    const { swap } = network;
    if (swap === null) return null;
    const router = getAddress(swap.router);
    const native = await wrappedOf(network, router);
    if (native === null) return null;
    const ends = [sellCurrency, buyCurrency].map((currency) =>
      isNative(currency) ? native : getAddress(currency),
    );
    const batch = new Batch(network);
    const prices = pathsBetween(ends, native, swap).map((path) => {
      const abi = routerAbi;
      const args = [buyAmount, path] as const;
      const functionName = "getAmountsIn";
      return { path, ask: batch.ask(router, { abi, functionName, args }) };
    });
    await batch.runAt(blockHash);
    const routes = prices.flatMap(({ path, ask }): readonly SwapRoute[] => {
      const price = ask()?.[0];
      return price === undefined ? [] : [{ router, path, price }];
    });
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

function cheaper(one: SwapRoute | null, other: SwapRoute): SwapRoute {
  return one === null || other.price < one.price ? other : one;
}
