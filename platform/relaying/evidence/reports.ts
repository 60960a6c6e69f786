import type { RelayState } from "../../database/tables/relaying.js";

/** The position of a transaction on the chain. */
export interface MinedTransaction {
  readonly hash: string;
  readonly blockNumber: number;
  readonly blockHash: string;
}

/** The receipt of a transaction. */
export interface Receipt extends MinedTransaction {
  readonly isSuccess: boolean;
  readonly gasUsed: bigint;
  readonly cost: bigint;
}

/** The limits of what a transaction can cost, fixed when it was signed. */
export interface SignedLimits {
  readonly gas: bigint;
  /** Per gas unit. */
  readonly price: bigint;
  /** What the tank reserved for it. The platform pays the rest. */
  readonly charge: bigint;
}

/** A transaction that was signed. Those with the same nonce replace each other. */
export interface SignedTransaction {
  readonly hash: string;
  readonly account: string;
  readonly nonce: number;
  readonly limits: SignedLimits;
}

/** A receipt as a node reports it. */
export interface ReportedReceipt {
  readonly hash: string;
  readonly blockNumber: number;
  readonly blockHash: string;
  readonly isSuccess: boolean;
  readonly gasUsed: bigint;
  readonly gasPrice: bigint;
  /** What a rollup charged in addition to gas. */
  readonly rollupFee: bigint;
}

/** What one node reports about accounts and transactions. */
export interface NodeReport {
  readonly head: number;
  /** The time of its last block, in seconds. */
  readonly time: bigint;
  /** The number of transactions of each account. */
  readonly counts: ReadonlyMap<string, number>;
  /**
   * The accounts for which the node has shown the transaction before the count,
   * with the signature of the account.
   */
  readonly proven: ReadonlySet<string>;
  readonly receipts: ReadonlyMap<string, ReportedReceipt>;
}

/** What the reports are held against. */
export interface Known {
  /** One more than the highest nonce that each account has signed. */
  readonly signed: ReadonlyMap<string, number>;
  readonly transactions: readonly SignedTransaction[];
  readonly maxRollupFee: bigint;
}

/** The status of a relay, based on the receipts of its transactions. */
export interface RelayStatus {
  readonly state: RelayState;
  readonly hash: string | null;
  readonly gasUsed: bigint;
  readonly cost: bigint;
  /** The latest block that contains one of its transactions. */
  readonly blockNumber: number | null;
}
