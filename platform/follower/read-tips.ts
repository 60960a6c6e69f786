import { type Kysely, sql } from "kysely";

import { prepared } from "../database/prepared.js";
import type { Tables } from "../database/schema.js";
import type { BlockHeader } from "../network/block-header.js";

/** The last block of a chain that a follower has processed. */
export interface Tip extends BlockHeader {
  readonly follower: string;
  readonly chainId: number;
}

/** A follower at the head of its chain reports it at least every second. */
const currentFor = sql`interval '3 seconds'`;

/**
 * Returns the last blocks of all followers that are at the head of their
 * chains. The data they have stored is that of these blocks.
 *
 * Errors: `Unavailable` if the database does not answer.
 */
export async function readTips(
  database: Kysely<Tables>,
): Promise<readonly Tip[]> {
  const rows = await database
    .selectFrom("followed_chains as chain")
    .modifyFront(prepared)
    .innerJoin("followed_blocks as block", (join) =>
      join
        .onRef("block.follower", "=", "chain.follower")
        .onRef("block.chain_id", "=", "chain.chain_id")
        .on("block.is_canonical", "=", sql.lit(true))
        .on("block.number", "=", sql<number>`chain.next_number - 1`),
    )
    .selectAll("block")
    .where("chain.current_at", ">", sql<Date>`now() - ${currentFor}`)
    .execute();
  return rows.map((row) => ({
    ...{ follower: row.follower, chainId: row.chain_id },
    ...{ number: row.number, hash: row.hash, parentHash: row.parent_hash },
    minedAt: row.mined_at,
  }));
}
