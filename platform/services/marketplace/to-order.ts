import { type Address, formatUnits, isAddressEqual, slice, toHex } from "viem";

import type { Order } from "../../../generated/marketplace/types.js";
import { toDate } from "../../network/moment.js";
import { type DollarRate, toDollars } from "./dollars.js";
import type { CheckedOrder } from "./order-state.js";

/** The marketplace of Seaport orders: Seaport is OpenSea's contract. */
export const seaportMarketplace = "opensea";

/** Sites by the salt prefix of their orders. */
const sites = new Map([["0x360c6ebe", { name: "opensea.io", is: "opensea" }]]);

/**
 * Converts an order to the API's format. Input: `rate` is the rate of the
 * order's currency.
 */
export function toOrder(order: CheckedOrder, rate: DollarRate | null): Order {
  const { parameters, row, state } = order;
  const site = sites.get(slice(toHex(parameters.salt, { size: 32 }), 0, 4));
  return {
    id: row.id,
    collectionId: row.collection_id,
    orderId: row.order_hash,
    chainId: row.chain_id,
    originName: site?.name ?? "",
    collectionContractAddress: order.trade.collection.toLowerCase(),
    createdBy: row.maker,
    ...describePrice(order, rate),
    ...describeQuantities(order),
    ...describeFees(order),
    validFrom: toDate(parameters.startTime).toISOString(),
    validUntil: toDate(parameters.endTime).toISOString(),
    blockNumber: row.block_number,
    createdAt: row.created_at.toISOString(),
    updatedAt: (row.noted_at ?? row.updated_at).toISOString(),
    ...(row.collectible_id !== null && { collectibleId: row.collectible_id }),
    ...(order.trade.tokenId !== null && {
      tokenId: order.trade.tokenId.toString(),
    }),
    orderCreatedAt: row.mined_at.toISOString(),
    orderUpdatedAt: (row.changed_at ?? row.mined_at).toISOString(),
    marketplace: seaportMarketplace,
    source: site?.is ?? "unknown",
    side: row.side,
    status: state.status,
  };
}

/** Unlike `toFixed`, this also writes large numbers without an exponent. */
const dollarFormat = new Intl.NumberFormat("en", {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
  useGrouping: false,
});

function describePrice({ row, state }: CheckedOrder, rate: DollarRate | null) {
  const { each, eachNet } = state.price;
  const decimals = state.decimals ?? 0;
  const dollars = rate === null ? 0 : toDollars(each, rate);
  return {
    priceAmount: each.toString(),
    priceAmountFormatted: formatUnits(each, decimals),
    priceAmountNet: eachNet.toString(),
    priceAmountNetFormatted: formatUnits(eachNet, decimals),
    priceCurrencyAddress: row.currency,
    priceDecimals: decimals,
    priceUSD: dollars,
    priceUSDFormatted: dollarFormat.format(dollars),
  };
}

/** Describes the quantities, which are integers for collection tokens. */
function describeQuantities({ trade, state }: CheckedOrder) {
  const initial = trade.quantity.toString();
  const remaining = state.remaining.toString();
  const available = state.available.toString();
  return {
    quantityInitial: initial,
    quantityInitialFormatted: initial,
    quantityRemaining: remaining,
    quantityRemainingFormatted: remaining,
    quantityAvailable: available,
    quantityAvailableFormatted: available,
    quantityDecimals: 0,
  };
}

function describeFees({ state }: CheckedOrder) {
  const { royaltyReceiver, price } = state;
  const bpsOf = (amount: bigint): number =>
    price.total === 0n ? 0 : Number((amount * 10_000n) / price.total);
  const isRoyalty = (recipient: Address): boolean =>
    royaltyReceiver !== null && isAddressEqual(recipient, royaltyReceiver);
  return {
    feeBps: bpsOf(price.fees.reduce((sum, { amount }) => sum + amount, 0n)),
    feeBreakdown: price.fees.map(({ recipient, amount }) => ({
      kind: isRoyalty(recipient) ? "royalty" : "marketplace",
      recipientAddress: recipient.toLowerCase(),
      bps: bpsOf(amount),
    })),
  };
}
