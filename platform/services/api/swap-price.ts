import { erc20Abi, getAddress } from "viem";

import type { SwapPrice } from "../../../generated/api/types.js";
import { QueryFailedError } from "../../../generated/errors.js";
import { Batch } from "../../network/batch.js";
import type { Network } from "../../network/networks.js";
import { readChain } from "../../network/read-chain.js";
import { isNative } from "./currency.js";
import type { Purchase } from "./swap-order.js";
import { type FindRoute, requireSwap, type SwapRoute } from "./swap-route.js";

/** The precision of slippage: how many parts a percent is divided into. */
const partsOfPercent = 1_000_000;

/** Returns the price including slippage, rounded down. */
export function maxPriceOf(price: bigint, slippagePercentage: number): bigint {
  const parts = BigInt(Math.round(slippagePercentage * partsOfPercent));
  return price + (price * parts) / BigInt(100 * partsOfPercent);
}

/**
 * Returns the price of a swap along a route, given the buyer's balance.
 *
 * Returns amounts as decimal digits, in the smallest units of each currency.
 */
export function toSwapPrice(
  sellCurrency: string,
  { price }: SwapRoute,
  { slippagePercentage }: Purchase,
  balance: bigint,
): SwapPrice {
  const maxPrice = maxPriceOf(price, slippagePercentage);
  return {
    currencyAddress: sellCurrency,
    currencyBalance: balance.toString(),
    price: price.toString(),
    maxPrice: maxPrice.toString(),
    transactionValue: isNative(sellCurrency) ? maxPrice.toString() : "0",
  };
}

/**
 * Finds a route. A missing route is an error.
 *
 * Errors: `QueryFailed` if there is none; `Unavailable` if no router is known
 * or the chain does not respond.
 */
export async function requireRoute(
  findRoute: FindRoute,
  purchase: Purchase,
  sellCurrency: string,
): Promise<SwapRoute> {
  requireSwap(purchase.network);
  const route = await findRoute(purchase, sellCurrency);
  if (route !== null) return route;
  const { network, buyAmount, buyCurrency } = purchase;
  const cause = `${network.handle}: no pools swap ${sellCurrency} for ${buyAmount} of ${buyCurrency}`;
  throw new QueryFailedError({ cause });
}

/**
 * Returns an account's balance of a currency, or 0 if the currency is not a
 * token.
 *
 * Errors: `Unavailable` if the chain does not respond.
 */
export async function readBalance(
  network: Network,
  currency: string,
  owner: string,
): Promise<bigint> {
  const address = getAddress(owner);
  if (isNative(currency)) {
    const balance = await readChain(network, (client) =>
      client.getBalance({ address }),
    );
    return balance ?? 0n;
  }
  // The caller can name any contract as a currency, so limit the size of its
  // response.
  const batch = new Batch(network);
  const balance = batch.ask(getAddress(currency), erc20Abi, "balanceOf", [
    address,
  ]);
  await batch.run();
  return balance() ?? 0n;
}
