import type { Address, Hash, Hex } from "viem";

import { UnavailableError } from "../../../generated/errors.js";
import type { Network } from "../../network/networks.js";
import type { SwapSettings } from "../../settings/read-network.js";
import type { Purchase } from "./swap-order.js";

/** A route from one currency to another. */
export interface SwapRoute {
  /** The provider of its pools. */
  readonly provider: "uniswap_v2" | "uniswap_v3";
  readonly router: Address;
  /** The price of the requested amount, in the currency that is sold. */
  readonly price: bigint;
  /** Encodes the router call that buys the amount along this route. */
  readonly encodeSwap: (terms: SwapTerms) => Hex;
}

/** The terms of a swap. */
export interface SwapTerms {
  /** The recipient of the bought currency. */
  readonly to: Address;
  /** The maximum amount of the sold currency. */
  readonly maxPrice: bigint;
  /** The deadline, in seconds of the chain's time. */
  readonly deadline: bigint;
}

/** Finds the cheapest route at a block. The default is the latest block. */
export type FindRoute = (
  purchase: Purchase,
  sellCurrency: string,
  blockHash?: Hash | null,
) => Promise<SwapRoute | null>;

/** Finds the cheapest route through the pools of one provider. */
export type FindProviderRoute = (
  swap: SwapSettings,
  ...search: Required<Parameters<FindRoute>>
) => Promise<SwapRoute | null>;

/** Returns the cheaper route, or the first one if both cost the same. */
export function cheaper<Priced extends { readonly price: bigint }>(
  one: Priced | null,
  other: Priced | null,
): Priced | null {
  if (one === null || other === null) return one ?? other;
  return other.price < one.price ? other : one;
}

/**
 * Returns the swap settings of a network.
 *
 * Errors: `Unavailable` if no router is known.
 */
export function requireSwap({ handle, swap }: Network): SwapSettings {
  if (swap !== null) return swap;
  const cause = `no Uniswap router on ${handle} is known: set one in networks.${handle}.swap`;
  throw new UnavailableError({ cause });
}
