import { maxUint256 } from "viem";

import type { Network } from "../../network/networks.js";
import type { Platform } from "../../parts/platform.js";
import { refuseField, requireNetwork } from "../request-fields.js";
import { isSameAddress, nameOfCurrency } from "./currency.js";

/** A purchase that the caller requests. */
export interface Purchase {
  readonly network: Network;
  /** The canonical address of the currency to buy. */
  readonly buyCurrency: string;
  /** A positive amount. */
  readonly buyAmount: bigint;
  readonly slippagePercentage: number;
}

/** The request fields of a purchase. */
export interface PurchaseRequest {
  readonly buyCurrencyAddress: string;
  readonly buyAmount: string;
  readonly chainId: number;
  readonly slippagePercentage?: number;
}

/** The default limit on price changes, as a percentage. */
const defaultSlippagePercentage = 3;

/**
 * Reads a purchase from a request.
 *
 * Errors: `InvalidArgument` for an unknown network or an invalid amount.
 */
export function toPurchase(
  { networks }: Platform,
  request: PurchaseRequest,
): Purchase {
  const network = requireNetwork(networks, "chainId", request.chainId);
  const buyAmount = BigInt(request.buyAmount);
  if (buyAmount === 0n || buyAmount > maxUint256) {
    const expected = "a positive amount of at most 256 bits";
    throw refuseField("buyAmount", expected, request.buyAmount);
  }
  return {
    network,
    buyCurrency: nameOfCurrency(request.buyCurrencyAddress),
    buyAmount,
    slippagePercentage: request.slippagePercentage ?? defaultSlippagePercentage,
  };
}

/**
 * Returns the canonical address of the currency to pay with.
 *
 * Errors: `InvalidArgument` if it is the currency to buy.
 */
export function toSellCurrency(
  { buyCurrency }: Purchase,
  currency: string,
): string {
  const sellCurrency = nameOfCurrency(currency);
  if (!isSameAddress(sellCurrency, buyCurrency)) return sellCurrency;
  const expected = "a currency other than the one to buy";
  throw refuseField("sellCurrencyAddress", expected, currency);
}
