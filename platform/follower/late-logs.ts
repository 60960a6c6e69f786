import { sql } from "kysely";
import type { Logger } from "pino";

import type { Transaction } from "../database/schema.js";
import { readHeader } from "../network/block-header.js";
import type { BlockConsumer, ReadBlock } from "./block.js";
import { isHeldBy, isOf, type FollowerIdentity } from "./progress.js";
import { type LogSource, readLogsByHash } from "./read-blocks.js";

/**
 * Creates a function that decides which of the blocks that were read are added
 * now. It waits for missing logs, but only for a limited time, because some
 * chains report Bloom filters that do not match their logs.
 *
 * Input: the maximum time to wait, and a function that is called with the
 * number of the first block that is added without all of its logs.
 */
export function createLogPatience(
  patienceMs: number,
  onGiveUp: (number: number) => void,
): (blocks: readonly ReadBlock[]) => readonly ReadBlock[] {
  let waitingSince: number | null = null;
  let isOver = false;
  return (blocks) => {
    const missing = blocks.findIndex(({ isComplete }) => !isComplete);
    if (missing !== 0) waitingSince = null;
    if (blocks.some(({ isComplete, logs }) => isComplete && logs.length > 0)) {
      isOver = false;
    }
    if (missing !== 0) return missing < 0 ? blocks : blocks.slice(0, missing);
    const now = performance.now();
    waitingSince ??= now;
    const isNowOver = now - waitingSince > patienceMs;
    if (isNowOver && !isOver) onGiveUp(blocks[0]?.number ?? 0);
    isOver ||= isNowOver;
    return isOver ? blocks : [];
  };
}

/** The dependencies of a repair. */
export interface RepairOptions extends LogSource {
  readonly place: FollowerIdentity;
  readonly consumer: BlockConsumer;
  readonly log: Logger;
  /** The minimum interval between two repairs. */
  readonly intervalMs: number;
}

/** The number of blocks that one repair reads again. */
const blocksAtOnce = 16;

/**
 * Creates a function that reads blocks again that were added without all of
 * their logs. The consumer gets a block again once more of its logs arrive.
 *
 * Errors: any error from the chain, the database, or the consumer. After an
 * error, nothing has changed.
 */
export function createRepair(options: RepairOptions): () => Promise<void> {
  const { client, consumer, intervalMs, log, place } = options;
  let repairedAt = performance.now();
  const repair = async (known: IncompleteBlock): Promise<void> => {
    const header = await readHeader(client, known.number);
    if (header?.hash !== known.hash) return;
    const [block] = await readLogsByHash(options, [header]);
    if (block === undefined) return;
    const isNews = block.logs.length > known.seen_logs.length;
    if (!isNews && !block.isComplete) return;
    const processed = new Set(known.seen_logs);
    await addLateLogs(place, consumer, { ...block, processed }, known.round);
    const { follower, chainId } = place;
    const facts = { follower, chainId, number: known.number };
    log.info(facts, "the missing logs of a block have arrived");
  };
  return async () => {
    if (performance.now() - repairedAt < intervalMs) return;
    repairedAt = performance.now();
    for (const block of await findIncomplete(place)) await repair(block);
  };
}

type IncompleteBlock = Awaited<ReturnType<typeof findIncomplete>>[number];

/** Finds some of the blocks that lack logs. */
function findIncomplete({ database, ...place }: FollowerIdentity) {
  return (
    database
      .selectFrom("followed_blocks")
      .select(["number", "hash", "round"])
      .select(sql<readonly number[]>`seen_logs`.as("seen_logs"))
      .where(isOf(place))
      .where("is_canonical", "=", true)
      .where("seen_logs", "is not", null)
      // One block that stays incomplete must not hide the others.
      .orderBy(sql`random()`)
      .limit(blocksAtOnce)
      .execute()
  );
}

/** Processes the logs of a stored block that were missing until now. */
async function addLateLogs(
  place: FollowerIdentity,
  consumer: BlockConsumer,
  block: ReadBlock,
  round: number,
): Promise<void> {
  await consumer.prepare?.(place.database, [block]);
  await place.database.transaction().execute(async (transaction) => {
    if (!(await lock(transaction, place))) return;
    const indexes = block.logs.map(({ logIndex }) => logIndex);
    const { numUpdatedRows } = await transaction
      .updateTable("followed_blocks")
      .set({ seen_logs: block.isComplete ? null : indexes })
      .where(isOf(place))
      .where("hash", "=", block.hash)
      .where("is_canonical", "=", true)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) return;
    await consumer.onBlocks(transaction, [{ ...block, round }]);
  });
}

/** Locks the position. Returns false if another instance has the lease. */
async function lock(
  transaction: Transaction,
  place: FollowerIdentity,
): Promise<boolean> {
  const row = await transaction
    .selectFrom("followed_chains")
    .select("next_number")
    .where(isHeldBy(place))
    .forUpdate()
    .executeTakeFirst();
  return row !== undefined;
}
