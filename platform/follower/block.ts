import type { Kysely, Transaction } from "kysely";
import type { Address, Hash, Hex } from "viem";

import type { Tables } from "../database/schema.js";
import type { BlockHeader } from "../network/block-header.js";

/** A block with its logs. */
export interface ReadBlock extends BlockHeader {
  /** All that were wanted, in their order. */
  readonly logs: readonly BlockLog[];
}

/** A block that has come into the chain. */
export interface FollowedBlock extends ReadBlock {
  /** 1; more when a reorganisation had taken it away, and now it is back. */
  readonly round: number;
}

/** A log of a block. */
export interface BlockLog {
  /** Contract, in lower case. */
  readonly address: Address;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  readonly transactionHash: Hash;
  /** In the block. */
  readonly transactionIndex: number;
  /** In the block. */
  readonly logIndex: number;
}

/** What is done with blocks, in the transaction that says that they are done. */
export interface BlockConsumer {
  /**
   * Asks the chain what `onBlocks` needs to know of blocks that are to be added.
   * Within the transaction it would hold the lock on the follower.
   */
  prepare?(
    database: Kysely<Tables>,
    blocks: readonly ReadBlock[],
  ): Promise<void>;
  /** Blocks have come into the chain, in this order. */
  onBlocks(
    transaction: Transaction<Tables>,
    blocks: readonly FollowedBlock[],
  ): Promise<void>;
  /** Blocks have gone out of the chain, the last one first. */
  onBlocksRemoved(
    transaction: Transaction<Tables>,
    blocks: readonly BlockHeader[],
  ): Promise<void>;
}
