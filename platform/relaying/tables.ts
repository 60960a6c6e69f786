import type { Generated } from "kysely";

import type { CreatedAt } from "../keys/tables.js";

/** Table of what is relayed. */
export interface RelayTables {
  readonly relays: RelayTable;
}

/**
 * A call of a wallet, and the transaction that makes it. It is stored before
 * that is sent.
 */
export interface RelayTable {
  readonly id: Generated<number>;
  readonly project_id: number;
  readonly gas_sponsor_id: number;
  readonly gas_tank_id: number;
  readonly chain_id: number;
  /** In lower case. */
  readonly wallet: string;
  /** Of the call, in digits. */
  readonly wallet_nonce: string;
  /** What the wallet's owner has signed. */
  readonly call_hash: string;
  /** Sends the transaction, in lower case. */
  readonly account: string;
  /** Of the transaction. */
  readonly account_nonce: number;
  /** Signed, as it is sent; it may be sent any number of times. */
  readonly transaction: string;
  readonly transaction_hash: string;
  /** What it can cost at most: so much of the tank is kept for it. */
  readonly max_cost: string;
  state: Generated<RelayState>;
  gas_used: string | null;
  /** What the gas has cost, in the unit of the tank. */
  cost: string | null;
  /** What a rollup has charged besides; null: nothing. */
  data_fee: string | null;
  readonly created_at: CreatedAt;
  settled_at: Date | null;
}

/**
 * `pending` until there is a receipt, then `done`, or `reverted` when the call
 * failed after all, which costs as well.
 */
export type RelayState = "pending" | "done" | "reverted";
