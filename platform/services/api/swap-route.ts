import type { Address, Hash, Hex } from "viem";

import { UnavailableError } from "../../../generated/errors.js";
import type { Network } from "../../network/networks.js";
import type { SwapSettings } from "../../settings/settings.js";
import type { Purchase } from "./swap-order.js";

/** A way from one currency to another. */
export interface SwapRoute {
  /** Whose pools it goes through. */
  readonly provider: "uniswap_v2" | "uniswap_v3";
  readonly router: Address;
  /** What the amount to buy costs of the currency sold. */
  readonly price: bigint;
  /** The call of the router that buys the amount by this route. */
  readonly encodeSwap: (terms: SwapTerms) => Hex;
}

/** What a swap is bound to. */
export interface SwapTerms {
  /** Who gets what is bought. */
  readonly to: Address;
  /** How much of the currency sold may be taken at most. */
  readonly maxPrice: bigint;
  /** In seconds of the chain's time. */
  readonly deadline: bigint;
}

/** Finds the cheapest route, at a block; at the last one unless given. */
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

/** The cheaper one; the first, if both cost the same. */
export function cheaper<Priced extends { readonly price: bigint }>(
  one: Priced | null,
  other: Priced | null,
): Priced | null {
  if (one === null || other === null) return one ?? other;
  return other.price < one.price ? other : one;
}

/**
 * How currencies are swapped on a network.
 *
 * Errors: `Unavailable` when no router is known.
 */
export function requireSwap({ handle, swap }: Network): SwapSettings {
  if (swap !== null) return swap;
  const cause = `no Uniswap router of ${handle} is known: the settings can name one in networks.${handle}.swap`;
  throw new UnavailableError({ cause });
}
