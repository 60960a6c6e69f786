import type { Generated } from "kysely";
import type { Hash, Hex } from "viem";

import type { CreatedAt } from "./keys.js";

/** Tables of what is relayed. */
export interface RelayTables {
  readonly relays: RelayTable;
  readonly relay_transactions: RelayTransactionTable;
}

/** A call of a wallet that is made at the cost of a gas tank. */
export interface RelayTable {
  readonly id: Generated<number>;
  readonly project_id: number;
  readonly gas_sponsor_id: number;
  readonly gas_tank_id: number;
  readonly chain_id: number;
  /** In lower case. */
  readonly wallet: string;
  /** The forwarder that makes the call, in lower case; null: the wallet does. */
  readonly forwarder: string | null;
  /** Of the call, in digits. */
  readonly wallet_nonce: string;
  /** What the wallet's owner has signed. */
  readonly call_hash: string;
  /** What a transaction to the forwarder, or else to the wallet, carries. */
  readonly data: Hex;
  /** The gas limit of that transaction. */
  readonly gas: string;
  /** The last second in which the call can be made, since 1970. */
  readonly deadline: string;
  /** The most that a rollup is expected to charge for data. */
  readonly max_data_fee: string;
  /** The most that it can cost: so much of the tank is reserved for it. */
  max_cost: string;
  state: Generated<RelayState>;
  /** The transaction on the chain, or the last one sent; null: none was sent. */
  transaction_hash: Hash | null;
  gas_used: string | null;
  /** What the tank has paid for all transactions on the chain. */
  cost: Generated<string>;
  /** The last block with one of its transactions. */
  block_number: number | null;
  /** Whether a reorganization can no longer undo it. */
  is_final: Generated<boolean>;
  readonly created_at: CreatedAt;
  settled_at: Date | null;
}

/**
 * A transaction that was signed for a relay, stored before it is sent. All
 * transactions with one nonce replace each other.
 */
export interface RelayTransactionTable {
  readonly hash: Hash;
  readonly relay_id: number;
  readonly chain_id: number;
  /** The account that sends it, in lower case. */
  readonly account: string;
  readonly account_nonce: number;
  /** Signed; it may be sent any number of times. */
  readonly transaction: Hex;
  created_at: CreatedAt;
}

/**
 * `pending` until there is a receipt, then `done`, or `reverted` when the call
 * failed after all, which costs as well. `expired` when the deadline passed
 * before the call was made.
 */
export type RelayState = "pending" | "done" | "reverted" | "expired";
