import { type Address, type Hash, hashStruct, type Hex } from "viem";

/** The item types of Seaport. */
export const ItemType = {
  Native: 0,
  Erc20: 1,
  Erc721: 2,
  Erc1155: 3,
  /** Any token of a collection, or one of several. */
  Erc721Criteria: 4,
  Erc1155Criteria: 5,
} as const;

/**
 * The order types of Seaport that anyone can fill. `PartialOpen` orders can be
 * filled partially.
 */
export const OrderType = {
  FullOpen: 0,
  PartialOpen: 1,
} as const;

/** An item that the maker of an order provides. */
export interface OfferItem {
  readonly itemType: number;
  readonly token: Address;
  /**
   * The token ID. For criteria, 0 means any token, and other values are the
   * root of a Merkle tree of token IDs.
   */
  readonly identifierOrCriteria: bigint;
  /** The amount at the start. It changes linearly to `endAmount`. */
  readonly startAmount: bigint;
  /** The amount at the end. */
  readonly endAmount: bigint;
}

/** An item that the maker or another recipient receives. */
export interface ConsiderationItem extends OfferItem {
  readonly recipient: Address;
}

/** An order as it appears in Seaport's events. */
export interface OrderParameters {
  readonly offerer: Address;
  readonly zone: Address;
  readonly offer: readonly OfferItem[];
  readonly consideration: readonly ConsiderationItem[];
  readonly orderType: number;
  /** Unix time in seconds. */
  readonly startTime: bigint;
  readonly endTime: bigint;
  readonly zoneHash: Hex;
  readonly salt: bigint;
  readonly conduitKey: Hex;
  readonly totalOriginalConsiderationItems: bigint;
}

const offerItemType = [
  { name: "itemType", type: "uint8" },
  { name: "token", type: "address" },
  { name: "identifierOrCriteria", type: "uint256" },
  { name: "startAmount", type: "uint256" },
  { name: "endAmount", type: "uint256" },
] as const;

/** The EIP-712 types that makers sign. */
export const orderTypes = {
  OrderComponents: [
    { name: "offerer", type: "address" },
    { name: "zone", type: "address" },
    { name: "offer", type: "OfferItem[]" },
    { name: "consideration", type: "ConsiderationItem[]" },
    { name: "orderType", type: "uint8" },
    { name: "startTime", type: "uint256" },
    { name: "endTime", type: "uint256" },
    { name: "zoneHash", type: "bytes32" },
    { name: "salt", type: "uint256" },
    { name: "conduitKey", type: "bytes32" },
    { name: "counter", type: "uint256" },
  ],
  OfferItem: offerItemType,
  ConsiderationItem: [...offerItemType, { name: "recipient", type: "address" }],
} as const;

/**
 * Returns the ID of an order. It depends on the maker's counter, so
 * incrementing the counter cancels all of the maker's orders.
 */
export function hashOrder(parameters: OrderParameters, counter: bigint): Hash {
  return hashStruct({
    data: { ...parameters, counter },
    primaryType: "OrderComponents",
    types: orderTypes,
  });
}
