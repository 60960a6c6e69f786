import type { Generated } from "kysely";
import type { Address, Hash, Hex } from "viem";

/** Tables of those who follow chains. */
export interface FollowerTables {
  readonly followed_chains: FollowedChainTable;
  readonly followed_blocks: FollowedBlockTable;
  readonly chain_answers: ChainAnswerTable;
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
  /** When its last block was that of the chain; null: blocks are missing. */
  current_at: Generated<Date | null>;
}

/** What contracts have answered at a block. */
export interface ChainAnswerTable {
  readonly chain_id: number;
  /** In lower case. */
  readonly contract: Address;
  /** The data of the call. */
  readonly question: Hex;
  /** null: the contract refuses. */
  answer: Hex | null;
  block_hash: Hash;
  /** When somebody needed it, to within some seconds. */
  wanted_at: Generated<Date>;
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
