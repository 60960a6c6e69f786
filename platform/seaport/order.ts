import { type Address, type Hash, hashStruct, type Hex } from "viem";

/** What an item of an order is, as Seaport numbers it. */
export const ItemType = {
  Native: 0,
  Erc20: 1,
  Erc721: 2,
  Erc1155: 3,
  /** Any token of a collection, or one of several. */
  Erc721Criteria: 4,
  Erc1155Criteria: 5,
} as const;

/** Who may fill an order, and whether in parts, as Seaport numbers it. */
export const OrderType = {
  FullOpen: 0,
  PartialOpen: 1,
} as const;

/** What the maker of an order gives. */
export interface OfferItem {
  readonly itemType: number;
  readonly token: Address;
  /** Id of the token; for criteria: 0 is any, else the root of a tree of ids. */
  readonly identifierOrCriteria: bigint;
  /** The amount goes evenly from this one at the beginning … */
  readonly startAmount: bigint;
  /** … to this one at the end. */
  readonly endAmount: bigint;
}

/** What is given for it, to the maker or to somebody else. */
export interface ConsiderationItem extends OfferItem {
  readonly recipient: Address;
}

/** An order as Seaport's events carry it. */
export interface OrderParameters {
  readonly offerer: Address;
  readonly zone: Address;
  readonly offer: readonly OfferItem[];
  readonly consideration: readonly ConsiderationItem[];
  readonly orderType: number;
  /** In seconds since 1970. */
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

/** Types of what makers sign. */
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
 * The id of an order. It changes with the counter of its maker: to raise that
 * takes all orders back.
 */
export function hashOrder(parameters: OrderParameters, counter: bigint): Hash {
  return hashStruct({
    data: { ...parameters, counter },
    primaryType: "OrderComponents",
    types: orderTypes,
  });
}
