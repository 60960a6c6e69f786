import { type Address, getAddress, parseAbi } from "viem";

import type { Network } from "../../network/networks.js";
import { readChain } from "../../network/read-chain.js";
import { isNative, isSameAddress } from "./currency.js";
import type { Purchase } from "./swap-order.js";

/** What routes lead from and to, as pools know it. */
export interface SwapEnds {
  readonly sold: Address;
  readonly bought: Address;
  /** Currencies that routes may lead through. */
  readonly between: readonly Address[];
}

/**
 * Finds what routes of a router lead from and to.
 *
 * Output: null when no pool can hold both, or there is no such router.
 * Errors: `Unavailable` when the chain does not answer.
 */
export type FindEnds = (
  router: Address,
  purchase: Purchase,
  sellCurrency: string,
) => Promise<SwapEnds | null>;

const abi = parseAbi([
  "function WETH() view returns (address)",
  "function WETH9() view returns (address)",
]);

/** Makes what finds them. Input: the function that names the wrapped currency. */
export function createFindEnds(functionName: "WETH" | "WETH9"): FindEnds {
  // A router's wrapped currency is fixed: asked for once.
  const wrapped = new Map<string, Address>();
  const wrappedOf = async (network: Network, router: Address) => {
    const key = `${network.chainId} ${router}`;
    const known = wrapped.get(key);
    if (known !== undefined) return known;
    const address = await readChain(network, (client) =>
      client.readContract({ address: router, abi, functionName }),
    );
    if (address !== null) wrapped.set(key, address);
    return address;
  };
  return async (router, { buyCurrency, network }, sellCurrency) => {
    const native = await wrappedOf(network, router);
    if (native === null) return null;
    const asToken = (currency: string): Address =>
      isNative(currency) ? native : getAddress(currency);
    const [sold, bought] = [asToken(sellCurrency), asToken(buyCurrency)];
    // One is the other, wrapped.
    if (isSameAddress(sold, bought)) return null;
    const named = (network.swap?.currencies ?? []).map((one) =>
      getAddress(one),
    );
    const between = new Set([native, ...named]);
    between.delete(sold);
    between.delete(bought);
    return { sold, bought, between: [...between] };
  };
}
