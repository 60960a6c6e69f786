import { type Address, zeroAddress, zeroHash } from "viem";

import {
  type ConsiderationItem,
  ItemType,
  type OfferItem,
  type OrderParameters,
  OrderType,
} from "./order.js";

/** The terms of a listing or an offer. */
export interface Terms {
  readonly maker: Address;
  /** The item to sell or buy. */
  readonly item: Item;
  /** The zero address is the native currency. */
  readonly currency: Address;
  /** The total price, including fees. */
  readonly price: bigint;
  /** The parts of the price that others receive. */
  readonly fees?: readonly Fee[];
  /** Overrides for other fields of the order. */
  readonly changes?: Partial<OrderParameters>;
}

/** A quantity of a token. */
export interface Item {
  readonly itemType: number;
  readonly token: Address;
  readonly tokenId: bigint;
  readonly quantity: bigint;
}

/** A part of the price for a recipient. */
export interface Fee {
  readonly recipient: Address;
  readonly amount: bigint;
}

/** Creates a listing. */
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

/** Creates an offer. */
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
