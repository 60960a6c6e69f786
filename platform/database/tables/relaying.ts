import type { Generated } from "kysely";
import type { Hash, Hex } from "viem";

import type { CreatedAt } from "./keys.js";

/** A wallet call that a gas tank pays for. */
export interface RelayTable {
  readonly id: Generated<number>;
  readonly project_id: number;
  readonly gas_sponsor_id: number;
  readonly gas_tank_id: number;
  readonly chain_id: number;
  /** The wallet, in lowercase. */
  readonly wallet: string;
  /**
   * The forwarder that executes the call, in lowercase, or null if the wallet
   * does.
   */
  readonly forwarder: string | null;
  /** The nonce of the call, in decimal digits. */
  readonly wallet_nonce: string;
  /** The hash that the wallet's owner signed. */
  readonly call_hash: string;
  /** The data of the transaction to the forwarder or the wallet. */
  readonly data: Hex;
  /** The gas limit of that transaction. */
  readonly gas: string;
  /** The last second in which the call is valid, in Unix time. */
  readonly deadline: string;
  /** The highest data fee that a rollup is expected to charge. */
  readonly max_data_fee: string;
  /** The maximum cost, which is reserved in the tank. */
  max_cost: string;
  /**
   * The amount that was reserved when the relay was accepted. Null if an older
   * version accepted it.
   */
  readonly first_max_cost: string | null;
  state: Generated<RelayState>;
  /**
   * The hash of the mined transaction, or else of the last transaction sent.
   * Null if no transaction was sent.
   */
  transaction_hash: Hash | null;
  gas_used: string | null;
  /** The total that the tank has paid for mined transactions. */
  cost: Generated<string>;
  /** The latest block that contains one of its transactions. */
  block_number: number | null;
  /** Whether the relay is final: a reorganization can no longer undo it. */
  is_final: Generated<boolean>;
  readonly created_at: CreatedAt;
  settled_at: Date | null;
  /**
   * When one of its nonces was first found to be used without a receipt, or
   * null if all used nonces have receipts.
   */
  unexplained_at: Date | null;
  /**
   * The span of the request that it was accepted in, or null if the request was
   * not traced.
   */
  readonly traceparent: string | null;
  /**
   * The ID of that request. Null if an older version accepted the relay.
   */
  readonly request_id: string | null;
  /**
   * The last reason for which it had to wait, other than for its receipt. Null
   * if there was none.
   */
  wait_reason: string | null;
  /**
   * Whether another transaction may have used the nonce of its call when it had
   * reverted or expired.
   */
  nonce_used: Generated<boolean>;
}

/**
 * A transaction that was signed for a relay and stored before it was sent.
 * Transactions with the same nonce replace each other.
 */
export interface RelayTransactionTable {
  readonly hash: Hash;
  /** The relay, or null if it only fills a gap between nonces. */
  readonly relay_id: number | null;
  readonly chain_id: number;
  /** The sending account, in lowercase. */
  readonly account: string;
  readonly account_nonce: number;
  /** The signed transaction. It can be sent any number of times. */
  readonly transaction: Hex;
  /** What it cost, or null if no receipt is known. */
  cost: string | null;
  /** What it can cost. Null if an older version signed it. */
  readonly max_cost: string | null;
  /**
   * What the tank has reserved for it. The platform pays the rest. Null if an
   * older version signed it.
   */
  readonly max_charge: string | null;
  /** The last block when it was signed. Null if an older version signed it. */
  readonly signed_at_block: number | null;
  created_at: CreatedAt;
}

/** What a node last reported and that cannot be true. */
export interface WrongNodeTable {
  readonly chain_id: number;
  /** The SHA-256 hash of the node's URL. */
  readonly url_hash: string;
  what: string;
  reported_at: Generated<Date>;
}

/** What a sponsor paid for relays in five minutes. */
export interface SponsorSpendingTable {
  readonly gas_sponsor_id: number;
  /** The number of such periods since 1970. */
  readonly slot: number;
  readonly amount: string;
}

/** A daily check of a relaying account, from which the next one continues. */
export interface RelayAccountCheckTable {
  readonly id: Generated<number>;
  readonly chain_id: number;
  /** The account, in lowercase. */
  readonly account: string;
  readonly block_number: number;
  /** The number of the account's transactions at that block. */
  readonly nonce: number;
  readonly balance: string;
  /** What its transactions have cost since the check before. */
  readonly paid: string;
  /** What it received or, if negative, lost since the check before. */
  readonly difference: string;
  /** The number of nonces since then that the platform has not signed. */
  readonly foreign_nonces: Generated<number>;
  readonly created_at: CreatedAt;
}

/**
 * The status. It is `pending` until the call has been executed or the deadline
 * has passed. Then it is `done`; or `reverted` if the call failed, which also
 * costs gas; or `expired` if the call was not executed.
 */
export type RelayState = "pending" | "done" | "reverted" | "expired";
