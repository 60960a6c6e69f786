import type { Generated } from "kysely";
import type { Address, Hash, Hex } from "viem";

import type { CreatedAt } from "./keys.js";

/** Token contracts with orders. */
export interface CollectionTable {
  readonly id: Generated<number>;
  readonly chain_id: number;
  /** The address, in lowercase. */
  readonly address: string;
}

/** Tokens with orders. */
export interface CollectibleTable {
  readonly id: Generated<number>;
  readonly collection_id: number;
  /** The token ID, in decimal digits. */
  readonly token_id: string;
}

/**
 * Orders that were announced on the chain or submitted by an operator.
 * Addresses are in lowercase.
 */
export interface OrderTable {
  readonly id: Generated<number>;
  readonly chain_id: number;
  /** The marketplace contract. */
  readonly contract: Address;
  readonly order_hash: Hash;
  readonly collection_id: number;
  /** The token, or null if the order applies to any token of the collection. */
  readonly collectible_id: number | null;
  readonly side: "listing" | "offer";
  readonly maker: string;
  /** The currency's address, or the zero address for the native currency. */
  readonly currency: string;
  /** The initial quantity, in decimal digits. */
  readonly quantity: string;
  /**
   * The maximum price of one item of an offer, in the smallest units of the
   * currency. Null for listings, and for orders that an older version stored.
   */
  readonly unit_price: string | null;
  /** The log data that contains the whole order, or its equivalent. */
  readonly data: Hex;
  /** The signature of a submitted order, or null if the chain needs none. */
  readonly signature: Hex | null;
  readonly ends_at: Date;
  readonly block_number: number;
  readonly log_index: number;
  /** The time of the block. */
  readonly mined_at: Date;
  readonly created_at: CreatedAt;
  updated_at: Generated<Date>;
}

/** Changes to orders: fills and cancellations. */
export interface ChangeTable {
  readonly chain_id: number;
  readonly contract: Address;
  readonly block_number: number;
  readonly log_index: number;
  readonly kind: "filled" | "cancelled" | "all-cancelled";
  /**
   * The order, or null if the change applies to all orders that the maker had
   * created by then.
   */
  readonly order_hash: Hash | null;
  readonly maker: string;
  /** The filled quantity in decimal digits, or null if nothing was filled. */
  readonly quantity: string | null;
  readonly mined_at: Date;
  readonly created_at: CreatedAt;
}
