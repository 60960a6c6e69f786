import { type Address, isAddressEqual, maxUint256 } from "viem";

import {
  type ConsiderationItem,
  ItemType,
  type OfferItem,
  type OrderParameters,
  OrderType,
} from "../../seaport/order.js";

/** What an order sells or buys. */
export interface Trade {
  readonly side: "listing" | "offer";
  readonly standard: "ERC721" | "ERC1155";
  /** Contract of the collection. */
  readonly collection: Address;
  /** null: any token of the collection. */
  readonly tokenId: bigint | null;
  readonly quantity: bigint;
  /** The zero address is the native currency. */
  readonly currency: Address;
  /** What is paid, in one currency; of a listing, all of it. */
  readonly payments: readonly OfferItem[];
  /** The part of the payments that is not the maker's. */
  readonly fees: readonly ConsiderationItem[];
}

/**
 * What an order is about.
 *
 * Output: null when it has no price: bundles, exchanges without a currency,
 * amounts of tokens that change, fees beyond the price, and what is for some
 * tokens or some people only, whom the chain does not know.
 */
export function toTrade(order: OrderParameters): Trade | null {
  if (order.orderType > OrderType.PartialOpen) return null;
  const [given, ...others] = order.offer;
  if (given === undefined || others.length > 0) return null;
  const trade = isToken(given)
    ? toListing(order, given)
    : toOffer(order, given);
  return trade !== null && isPayable(trade) ? trade : null;
}

function isPayable({ payments, fees }: Trade): boolean {
  return (["startAmount", "endAmount"] as const).every((moment) => {
    const sum = (items: readonly OfferItem[]): bigint =>
      items.reduce((total, item) => total + item[moment], 0n);
    return sum(payments) <= maxUint256 && sum(fees) <= sum(payments);
  });
}

function toListing(order: OrderParameters, given: OfferItem): Trade | null {
  const payments = order.consideration;
  const token = describeToken(given);
  const [first] = payments;
  if (token === null || token.tokenId === null) return null;
  if (first === undefined || !areOneCurrency(payments)) return null;
  const fees = payments.filter(
    ({ recipient }) => !isAddressEqual(recipient, order.offerer),
  );
  return { side: "listing", ...token, currency: first.token, payments, fees };
}

function toOffer(order: OrderParameters, given: OfferItem): Trade | null {
  const [wanted, ...others] = order.consideration.filter(isToken);
  if (wanted === undefined || others.length > 0) return null;
  const token = describeToken(wanted);
  const fees = order.consideration.filter((item) => item !== wanted);
  if (token === null || !areOneCurrency([given, ...fees])) return null;
  const payments = [given];
  return { side: "offer", ...token, currency: given.token, payments, fees };
}

function isToken({ itemType }: OfferItem): boolean {
  return itemType >= ItemType.Erc721;
}

function areOneCurrency(items: readonly OfferItem[]): boolean {
  return items.every(
    ({ itemType, token }) =>
      itemType <= ItemType.Erc20 &&
      itemType === items[0]?.itemType &&
      isAddressEqual(token, items[0].token),
  );
}

function describeToken(
  item: OfferItem,
): Pick<Trade, "standard" | "collection" | "tokenId" | "quantity"> | null {
  const { itemType, token, identifierOrCriteria, startAmount } = item;
  if (startAmount !== item.endAmount || startAmount === 0n) return null;
  const isAny = itemType >= ItemType.Erc721Criteria;
  // A tree of ids cannot be read from its root.
  if (isAny && identifierOrCriteria !== 0n) return null;
  const isErc721 =
    itemType === ItemType.Erc721 || itemType === ItemType.Erc721Criteria;
  return {
    standard: isErc721 ? "ERC721" : "ERC1155",
    collection: token,
    tokenId: isAny ? null : identifierOrCriteria,
    quantity: startAmount,
  };
}
