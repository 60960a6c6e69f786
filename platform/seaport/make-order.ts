import { type Address, zeroAddress, zeroHash } from "viem";

import {
  type ConsiderationItem,
  ItemType,
  type OfferItem,
  type OrderParameters,
  OrderType,
} from "./order.js";

/** What somebody wants to sell or to buy, and for how much. */
export interface Terms {
  readonly maker: Address;
  /** What is sold or bought. */
  readonly item: Item;
  /** The zero address is the native currency. */
  readonly currency: Address;
  /** With the fees. */
  readonly price: bigint;
  /** What others get of it. */
  readonly fees?: readonly Fee[];
  /** Whatever else the order is to have. */
  readonly changes?: Partial<OrderParameters>;
}

/** So many of a token. */
export interface Item {
  readonly itemType: number;
  readonly token: Address;
  readonly tokenId: bigint;
  readonly quantity: bigint;
}

/** An amount of the price for somebody. */
export interface Fee {
  readonly recipient: Address;
  readonly amount: bigint;
}

/** An order that sells. */
export function makeListing(terms: Terms): OrderParameters {
  const { maker, fees = [] } = terms;
  const net = fees.reduce((rest, { amount }) => rest - amount, terms.price);
  return makeOrder(
    terms,
    [toItem(terms.item)],
    [{ recipient: maker, amount: net }, ...fees].map((fee) => ({
      ...toPayment(terms.currency, fee.amount),
      recipient: fee.recipient,
    })),
  );
}

/** An order that buys. */
export function makeOffer(terms: Terms): OrderParameters {
  const { maker, fees = [] } = terms;
  return makeOrder(
    terms,
    [toPayment(terms.currency, terms.price)],
    [
      { ...toItem(terms.item), recipient: maker },
      ...fees.map(({ recipient, amount }) => ({
        ...toPayment(terms.currency, amount),
        recipient,
      })),
    ],
  );
}

function toItem({ itemType, token, tokenId, quantity }: Item): OfferItem {
  return {
    itemType,
    token,
    identifierOrCriteria: tokenId,
    startAmount: quantity,
    endAmount: quantity,
  };
}

function toPayment(currency: Address, amount: bigint): OfferItem {
  const itemType = currency === zeroAddress ? ItemType.Native : ItemType.Erc20;
  const item = { itemType, token: currency, tokenId: 0n, quantity: amount };
  return toItem(item);
}

/** 2020-01-01 and 2100-01-01, in seconds. */
const longAgo = 1_577_836_800n;
const farAway = 4_102_444_800n;

function makeOrder(
  { maker, changes }: Terms,
  offer: readonly OfferItem[],
  consideration: readonly ConsiderationItem[],
): OrderParameters {
  return {
    offerer: maker,
    zone: zeroAddress,
    offer,
    consideration,
    orderType: OrderType.FullOpen,
    startTime: longAgo,
    endTime: farAway,
    zoneHash: zeroHash,
    salt: 0n,
    conduitKey: zeroHash,
    totalOriginalConsiderationItems: BigInt(consideration.length),
    ...changes,
  };
}
