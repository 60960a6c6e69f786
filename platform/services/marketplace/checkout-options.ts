import { getAddress, maxUint256 } from "viem";

import type {
  CheckoutItem,
  CheckoutOptionsSalesContractRequest,
  CheckoutOptionsSalesContractResponse,
  CryptoCoverage,
} from "../../../generated/marketplace/types.js";
import type { Network } from "../../network/networks.js";
import { findSwaps } from "../api/find-swaps.js";
import { type PurchaseRequest, toPurchase } from "../api/swap-order.js";
import { readBalance } from "../api/swap-price.js";
import { toUint256 } from "../request-fields.js";
import type { Market } from "./market.js";
import { readSalePrice, type SaleItem } from "./sale.js";

/**
 * Returns how a wallet can pay for items in a sales contract. If an item is not
 * on sale, there are no options.
 *
 * Errors: `InvalidArgument`, `Unavailable` if the chain does not respond.
 */
export async function getCheckoutOptions(
  market: Market,
  network: Network,
  request: CheckoutOptionsSalesContractRequest,
): Promise<CheckoutOptionsSalesContractResponse> {
  const items = request.items.map(toSaleItem);
  const sale = {
    contract: getAddress(request.contractAddress),
    collection: getAddress(request.collectionAddress),
  };
  const price = await readSalePrice(network, sale, items);
  if (price === null) {
    const crypto = "none";
    return { options: { swap: [], nftCheckout: [], onRamp: [], crypto } };
  }
  const { currency, total } = price;
  const balance = await readBalance(network, currency, request.wallet);
  const cards = total === 0n ? null : network.marketplace;
  // If the balance is too low, a swap only has to buy the rest. Otherwise, a
  // swap could buy the whole total instead.
  const amount = balance < total ? total - balance : total;
  const swap = await findProviders(market, request.wallet, {
    buyCurrencyAddress: currency,
    buyAmount: amount.toString(),
    chainId: network.chainId,
  });
  return {
    options: {
      swap,
      // Card providers only sell one collectible at a time.
      nftCheckout: items.length === 1 ? [...(cards?.nftCheckout ?? [])] : [],
      onRamp: [...(cards?.onRamp ?? [])],
      crypto: coverageOf(balance, total),
    },
  };
}

function coverageOf(balance: bigint, total: bigint): CryptoCoverage {
  if (balance >= total) return "all";
  return balance > 0n ? "partially" : "none";
}

/** Finds providers of swaps that the wallet can pay for in another currency. */
async function findProviders(
  { platform, findRoute }: Market,
  wallet: string,
  request: PurchaseRequest,
): Promise<string[]> {
  const amount = BigInt(request.buyAmount);
  // There is nothing to buy, or the amount is larger than any supply.
  if (amount === 0n || amount > maxUint256) return [];
  const purchase = toPurchase(platform, request);
  const swaps = await findSwaps(purchase, findRoute, wallet);
  return [...new Set(swaps.map(({ route }) => route.provider))].sort();
}

function toSaleItem(item: CheckoutItem, index: number): SaleItem {
  const { tokenId, quantity } = item;
  return {
    tokenId: toUint256(`items[${index}].tokenId`, tokenId),
    quantity: toUint256(`items[${index}].quantity`, quantity),
  };
}
