import { maxUint256 } from "viem";

import { InvalidArgumentError } from "../../../generated/errors.js";
import type { Network } from "../../network/networks.js";
import type { Platform } from "../../parts/platform.js";
import { isSameAddress, nameOfCurrency } from "./currency.js";

/** What somebody wants to buy. */
export interface Purchase {
  readonly network: Network;
  /** The native currency by its one name. */
  readonly buyCurrency: string;
  /** Above zero. */
  readonly buyAmount: bigint;
  readonly slippagePercentage: number;
}

/** The request fields that say so. */
export interface PurchaseRequest {
  readonly buyCurrencyAddress: string;
  readonly buyAmount: string;
  readonly chainId: number;
  readonly slippagePercentage?: number;
}

/** How far a price may move where nobody says. */
const usualSlippagePercentage = 3;

/**
 * Reads what somebody wants to buy.
 *
 * Errors: `InvalidArgument` for a network that is unknown, and for an amount
 * that nobody can buy.
 */
export function toPurchase(
  { networks }: Platform,
  request: PurchaseRequest,
): Purchase {
  const network = networks.find(String(request.chainId));
  if (network === null) {
    throw refusal("chainId", "a supported network", request.chainId);
  }
  const buyAmount = BigInt(request.buyAmount);
  if (buyAmount === 0n || buyAmount > maxUint256) {
    const expected = "an amount above zero of at most 256 bits";
    throw refusal("buyAmount", expected, request.buyAmount);
  }
  return {
    network,
    buyCurrency: nameOfCurrency(request.buyCurrencyAddress),
    buyAmount,
    slippagePercentage: request.slippagePercentage ?? usualSlippagePercentage,
  };
}

/**
 * The currency to pay with, by its one name.
 *
 * Errors: `InvalidArgument` when it is the one to buy.
 */
export function toSellCurrency(
  { buyCurrency }: Purchase,
  currency: string,
): string {
  const sellCurrency = nameOfCurrency(currency);
  if (!isSameAddress(sellCurrency, buyCurrency)) return sellCurrency;
  const expected = "another currency than the one to buy";
  throw refusal("sellCurrencyAddress", expected, currency);
}

function refusal(
  field: string,
  expected: string,
  got: string | number,
): InvalidArgumentError {
  const cause = `${field}: expected ${expected}, got ${JSON.stringify(got)}`;
  return new InvalidArgumentError({ cause });
}
