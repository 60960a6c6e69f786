import { sql } from "kysely";
import { type Hex, padHex, toHex } from "viem";

import type { Database } from "../../database/schema.js";
import type {
  BlockConsumer,
  BlockLog,
  FollowedBlock,
} from "../../follower/block.js";
import { indexerFollower } from "../../services/indexer/index-blocks.js";

/** Returns a number as a word of 32 bytes. */
export const word = (value: number): Hex => padHex(toHex(value), { size: 32 });

/** Returns a block with all of its logs. */
export const blockOf = (
  number: number,
  logs: readonly BlockLog[],
): FollowedBlock => ({
  ...{ number, logs, hash: word(number), parentHash: word(number - 1) },
  ...{ minedAt: new Date(), isComplete: true, round: 1 },
});

/**
 * Adds a block as a follower does.
 *
 * Input: `fail` is called before the transaction is committed.
 */
export async function indexBlock(
  database: Database,
  chainId: number,
  indexer: BlockConsumer,
  block: FollowedBlock,
  fail = (): void => undefined,
): Promise<void> {
  await indexer.prepare?.(database, [block]);
  await database.transaction().execute(async (transaction) => {
    await sql`
      insert into followed_blocks
        (follower, chain_id, hash, parent_hash, number, mined_at)
      values (${indexerFollower}, ${chainId}, ${block.hash}, '', 1, now())
    `.execute(transaction);
    await indexer.onBlocks(transaction, [block]);
    fail();
  });
  indexer.onCommitted?.();
}
