import { sql } from "kysely";

import { prepare } from "../database/prepared.js";
import type { BlockHeader } from "../network/block-header.js";

/** The last block of a chain that a follower has processed. */
export interface Tip extends BlockHeader {
  readonly follower: string;
  readonly chainId: number;
}

/**
 * How long a follower's record of being at the head of its chain remains valid.
 * At the head, a follower renews this record about once a second.
 */
const currentFor = sql`interval '3 seconds'`;

/**
 * Returns the last blocks of all followers that are at the head of their
 * chains. Their stored data is up to date with these blocks.
 *
 * Errors: `Unavailable` if the database does not respond.
 */
export const readTips = prepare((database) =>
  sql<Tip>`
    select chain.follower, chain.chain_id as "chainId",
      block.number, block.hash, block.parent_hash as "parentHash",
      block.mined_at as "minedAt"
    from followed_chains as chain
    join followed_blocks as block
      on block.follower = chain.follower and block.chain_id = chain.chain_id
      and block.is_canonical and block.number = chain.next_number - 1
    where chain.current_at > now() - ${currentFor}`.compile(database),
);
