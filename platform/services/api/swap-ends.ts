import { type Address, getAddress, parseAbi } from "viem";

import type { Network } from "../../network/networks.js";
import { readChain } from "../../network/read-chain.js";
import { isNative, isSameAddress } from "./currency.js";
import type { Purchase } from "./swap-order.js";

/**
 * The currencies in which swap routes start and end, as pools represent them.
 */
export interface SwapEnds {
  readonly sold: Address;
  readonly bought: Address;
  /** Currencies that routes may pass through. */
  readonly between: readonly Address[];
}

const abi = parseAbi([
  "function WETH() view returns (address)",
  "function WETH9() view returns (address)",
]);

/**
 * Creates a function that finds the currencies in which a router's routes start
 * and end. It returns null if no pool can contain both currencies or if there is
 * no such router.
 *
 * Input: the name of the router's function that returns the wrapped native
 * currency.
 * Errors: `Unavailable` if the chain does not respond.
 */
export function createFindEnds(functionName: "WETH" | "WETH9") {
  // The wrapped currency of a router never changes, so read it once.
  const wrapped = new WeakMap<Network, Map<Address, Address>>();
  const wrappedOf = async (network: Network, router: Address) => {
    const ofNetwork = wrapped.get(network) ?? new Map<Address, Address>();
    wrapped.set(network, ofNetwork);
    const known = ofNetwork.get(router);
    if (known !== undefined) return known;
    const address = await readChain(network, (client) =>
      client.readContract({ address: router, abi, functionName }),
    );
    if (address !== null) ofNetwork.set(router, address);
    return address;
  };
  return async (
    router: Address,
    { buyCurrency, network }: Purchase,
    sellCurrency: string,
  ): Promise<SwapEnds | null> => {
    const native = await wrappedOf(network, router);
    if (native === null) return null;
    const asToken = (currency: string): Address =>
      isNative(currency) ? native : getAddress(currency);
    const [sold, bought] = [asToken(sellCurrency), asToken(buyCurrency)];
    // One of the currencies is the wrapped form of the other.
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
