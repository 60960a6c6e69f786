import type { Generated } from "kysely";
import type { Address, Hash, Hex } from "viem";

import type { CreatedAt } from "./keys.js";

/** Tables of the Marketplace service. */
export interface MarketplaceTables {
  readonly marketplace_collections: CollectionTable;
  readonly marketplace_collectibles: CollectibleTable;
  readonly marketplace_orders: OrderTable;
  readonly marketplace_changes: ChangeTable;
}

/** Contracts of what is sold. */
export interface CollectionTable {
  readonly id: Generated<number>;
  readonly chain_id: number;
  /** In lower case. */
  readonly address: string;
}

/** What is sold. */
export interface CollectibleTable {
  readonly id: Generated<number>;
  readonly collection_id: number;
  /** In digits. */
  readonly token_id: string;
}

/** Orders, as the chain announced them or an operator submitted them. All addresses are in lower case. */
export interface OrderTable {
  readonly id: Generated<number>;
  readonly chain_id: number;
  /** The marketplace contract. */
  readonly contract: Address;
  readonly order_hash: Hash;
  readonly collection_id: number;
  /** null: it is about any token of the collection. */
  readonly collectible_id: number | null;
  readonly side: "listing" | "offer";
  readonly maker: string;
  /** The zero address is the native currency. */
  readonly currency: string;
  /** At the beginning; in digits. */
  readonly quantity: string;
  /** The data of the log with the whole order, or what it would be. */
  readonly data: Hex;
  /** Of an order that was submitted; null: the chain needs none. */
  readonly signature: Hex | null;
  readonly ends_at: Date;
  readonly block_number: number;
  readonly log_index: number;
  /** When the block was made. */
  readonly mined_at: Date;
  readonly created_at: CreatedAt;
  updated_at: Generated<Date>;
}

/** What has happened to orders. */
export interface ChangeTable {
  readonly chain_id: number;
  readonly contract: Address;
  readonly block_number: number;
  readonly log_index: number;
  readonly kind: "filled" | "cancelled" | "all-cancelled";
  /** null: to all that the maker had made until then. */
  readonly order_hash: Hash | null;
  readonly maker: string;
  /** How much was filled, in digits; null: nothing was. */
  readonly quantity: string | null;
  readonly mined_at: Date;
  readonly created_at: CreatedAt;
}
