import type { Generated } from "kysely";
import type { Hash } from "viem";

/** Tables of those who follow chains. */
export interface FollowerTables {
  readonly followed_chains: FollowedChainTable;
  readonly followed_blocks: FollowedBlockTable;
}

/** How far a follower has come on a chain. */
export interface FollowedChainTable {
  /** Its name: each has a place of its own on each chain. */
  readonly follower: string;
  readonly chain_id: number;
  /** Number of the block that comes next. */
  next_number: number;
  /** Which instance follows; only until the moment that comes next. */
  holder: string | null;
  held_until: Generated<Date>;
}

/** The last blocks that a follower has seen. */
export interface FollowedBlockTable {
  readonly follower: string;
  readonly chain_id: number;
  readonly hash: Hash;
  readonly parent_hash: Hash;
  readonly number: number;
  readonly mined_at: Date;
  /** Whether it is in the chain, as far as is known. */
  is_canonical: Generated<boolean>;
  /** How often it came into the chain. */
  round: Generated<number>;
}
