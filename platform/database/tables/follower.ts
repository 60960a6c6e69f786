import type { Generated } from "kysely";
import type { Hash } from "viem";

/** The progress of a follower on a chain. */
export interface FollowedChainTable {
  /** The follower's name. Each follower has its own position on each chain. */
  readonly follower: string;
  readonly chain_id: number;
  /** The number of the next block. */
  next_number: number;
  /** The instance that has the lease, which expires at `held_until`. */
  holder: string | null;
  held_until: Generated<Date>;
  /**
   * The time when the follower last reached the chain's head, or null if blocks
   * are missing.
   */
  current_at: Generated<Date | null>;
  /** The first block that was followed, or null for chains followed earlier. */
  first_number: Generated<number | null>;
  /** The head of the chain when the follower last read it, or null. */
  head_number: Generated<number | null>;
}

/** The latest blocks that a follower has seen. */
export interface FollowedBlockTable {
  readonly follower: string;
  readonly chain_id: number;
  readonly hash: Hash;
  readonly parent_hash: Hash;
  readonly number: number;
  readonly mined_at: Date;
  /** Whether the block is currently part of the chain. */
  is_canonical: Generated<boolean>;
  /** The number of times that the block was added to the chain. */
  round: Generated<number>;
  /**
   * The indexes of the logs that were processed, or null if they are all logs
   * of the block.
   */
  seen_logs: readonly number[] | null;
}
