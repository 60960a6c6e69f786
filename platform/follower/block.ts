import type { Transaction } from "kysely";
import type { Address, Hash, Hex } from "viem";

import type { Tables } from "../database/schema.js";
import type { BlockHeader } from "../network/block-header.js";

/** A block that has come into the chain. */
export interface FollowedBlock extends BlockHeader {
  /** All that were wanted, in their order. */
  readonly logs: readonly BlockLog[];
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
