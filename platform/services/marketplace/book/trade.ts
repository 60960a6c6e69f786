import { type Address, isAddressEqual, maxUint256, zeroAddress } from "viem";

import {
  type ConsiderationItem,
  ItemType,
  type OfferItem,
  type OrderParameters,
  OrderType,
} from "../../../seaport/order.js";

/** The token that an order trades, and its price. */
export interface Trade {
  readonly side: "listing" | "offer";
  readonly standard: "ERC721" | "ERC1155";
  /** The contract of the collection. */
  readonly collection: Address;
  /** The token, or null for any token of the collection. */
  readonly tokenId: bigint | null;
  readonly quantity: bigint;
  /**
   * The filled quantity must be a multiple of this number, so that all amounts
   * divide evenly.
   */
  readonly step: bigint;
  /** The zero address is the native currency. */
  readonly currency: Address;
  /**
   * The items that make up the price: everything that a listing asks for, or
   * what the maker of an offer pays.
   */
  readonly payments: readonly OfferItem[];
  /** The payments to recipients other than the maker. */
  readonly fees: readonly ConsiderationItem[];
}

/** A trade whose step has not been computed yet. */
type TradeTerms = Omit<Trade, "step">;

/**
 * Returns the token that an order trades, and its price.
 *
 * Returns null for orders without a public price per token: bundles, listings of
 * any token, trades without a currency, varying token amounts, fees above the
 * price, and orders limited to tokens or people that the chain does not list.
 * Also returns null for orders that Seaport can never fill: offers in the
 * native currency, and orders with more than one of an ERC-721 token, with
 * items without an amount or a recipient, with currency items whose unused
 * fields are set, or with a price of more than 256 bits.
 */
export function toTrade(order: OrderParameters): Trade | null {
  if (order.orderType > OrderType.PartialOpen) return null;
  const [given, ...others] = order.offer;
  if (given === undefined || others.length > 0) return null;
  const trade = isToken(given)
    ? toListing(order, given)
    : toOffer(order, given);
  const items = [...order.offer, ...order.consideration];
  const isWhole =
    items.every((item) => item.startAmount > 0n || item.endAmount > 0n) &&
    order.consideration.every(({ recipient }) => recipient !== zeroAddress);
  if (trade === null || !isWhole || !isPayable(trade)) return null;
  const isInParts = order.orderType === OrderType.PartialOpen;
  return {
    ...trade,
    step: isInParts ? stepOf(items, trade.quantity) : trade.quantity,
  };
}

/**
 * Returns the maximum price of one item of an offer, because the price of an
 * auction changes. Returns null for listings.
 */
export function maxUnitPrice({
  payments,
  quantity,
  side,
}: Trade): bigint | null {
  const [payment] = payments;
  if (side === "listing" || payment === undefined) return null;
  const { endAmount, startAmount } = payment;
  return (startAmount > endAmount ? startAmount : endAmount) / quantity;
}

/** Returns the smallest quantity for which every item has a whole share. */
function stepOf(items: readonly OfferItem[], quantity: bigint): bigint {
  const amounts = items.flatMap((item) => [item.startAmount, item.endAmount]);
  return quantity / amounts.reduce(greatestDivisor, quantity);
}

function greatestDivisor(one: bigint, other: bigint): bigint {
  return other === 0n ? one : greatestDivisor(other, one % other);
}

function isPayable({ payments, fees }: TradeTerms): boolean {
  return (["startAmount", "endAmount"] as const).every((moment) => {
    const sum = (items: readonly OfferItem[]): bigint =>
      items.reduce((total, item) => total + item[moment], 0n);
    return sum(payments) <= maxUint256 && sum(fees) <= sum(payments);
  });
}

function toListing(
  order: OrderParameters,
  given: OfferItem,
): TradeTerms | null {
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

function toOffer(order: OrderParameters, given: OfferItem): TradeTerms | null {
  // Only the account that fills an order can pay Seaport in the native
  // currency.
  if (given.itemType !== ItemType.Erc20) return null;
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
    (item) =>
      isCurrency(item) &&
      item.itemType === items[0]?.itemType &&
      isAddressEqual(item.token, items[0].token),
  );
}

/**
 * Returns whether an item is a currency whose unused fields are not set.
 * Seaport does not fill orders in which they are set.
 */
function isCurrency(item: OfferItem): boolean {
  const { identifierOrCriteria, itemType, token } = item;
  const isPlain = itemType === ItemType.Erc20 || token === zeroAddress;
  return itemType <= ItemType.Erc20 && identifierOrCriteria === 0n && isPlain;
}

function describeToken(
  item: OfferItem,
): Pick<Trade, "standard" | "collection" | "tokenId" | "quantity"> | null {
  const { itemType, token, identifierOrCriteria, startAmount } = item;
  if (startAmount !== item.endAmount || startAmount === 0n) return null;
  const isAny = itemType >= ItemType.Erc721Criteria;
  // The token IDs in a Merkle tree cannot be derived from its root.
  if (isAny && identifierOrCriteria !== 0n) return null;
  const isErc721 =
    itemType === ItemType.Erc721 || itemType === ItemType.Erc721Criteria;
  if (isErc721 && startAmount !== 1n) return null;
  return {
    standard: isErc721 ? "ERC721" : "ERC1155",
    collection: token,
    tokenId: isAny ? null : identifierOrCriteria,
    quantity: startAmount,
  };
}
