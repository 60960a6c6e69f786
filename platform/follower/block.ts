import type { Address, Hash, Hex } from "viem";

import type { Database, Transaction } from "../database/schema.js";
import type { BlockHeader } from "../network/block-header.js";

/** A block with its logs. */
export interface ReadBlock extends BlockHeader {
  /** The requested logs, in order. */
  readonly logs: readonly BlockLog[];
  /** False if too few nodes report the same logs, or none has all of them yet. */
  readonly isComplete: boolean;
  /** All logs according to fewer nodes than a majority, if they agree. */
  readonly unconfirmed?: UnconfirmedLogs;
  /** Why the logs are not complete. */
  readonly doubt?: string;
  /**
   * The indexes of logs that the consumer has processed before. Only set if
   * logs of a block arrive after the block itself.
   */
  readonly processed?: ReadonlySet<number>;
}

/** Logs that fewer nodes than a majority report. */
export interface UnconfirmedLogs {
  readonly logs: readonly BlockLog[];
  /** The positions of the nodes that report them. */
  readonly by: readonly number[];
}

/** A block that has been added to the chain. */
export interface FollowedBlock extends ReadBlock {
  /**
   * 1, or more if a reorganization removed the block and it was added again.
   */
  readonly round: number;
}

/** A log of a block. */
export interface BlockLog {
  /** The contract, in lowercase. */
  readonly address: Address;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  readonly transactionHash: Hash;
  /** The index in the block. */
  readonly transactionIndex: number;
  /** The index in the block. */
  readonly logIndex: number;
}

/** Processes blocks in the same transaction that records them as processed. */
export interface BlockConsumer {
  /**
   * Reads the chain data that `onBlocks` needs for new blocks. Reading it
   * inside the transaction would lock the follower for too long.
   */
  prepare?(database: Database, blocks: readonly ReadBlock[]): Promise<void>;
  /**
   * Called with blocks that were added to the chain, in order, and again with a
   * block whose missing logs have arrived.
   */
  onBlocks(
    transaction: Transaction,
    blocks: readonly FollowedBlock[],
  ): Promise<void>;
  /** Called when the transaction of `onBlocks` has been committed. */
  onCommitted?(): void;
  /** Called with blocks that were removed from the chain, last one first. */
  onBlocksRemoved(
    transaction: Transaction,
    blocks: readonly BlockHeader[],
  ): Promise<void>;
}
