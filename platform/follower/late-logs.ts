import { sql } from "kysely";
import type { Logger } from "pino";
import { BaseError } from "viem";

import type { Transaction } from "../database/schema.js";
import { majorityOf } from "../network/agreement/majority.js";
import { readAgreedHeader } from "./agreed-headers.js";
import type { BlockConsumer, ReadBlock } from "./block.js";
import type { FollowedNode } from "./nodes.js";
import { createPatience } from "./patience.js";
import { createVoters } from "./voters.js";
import { isHeldBy, isOf, type FollowerIdentity } from "./progress.js";
import { type LogSource, readLogsByHash } from "./read-blocks.js";

/** Decides which blocks without all logs are added. */
export interface LogPatience {
  /** Returns which of the blocks that were read are added now. */
  readonly admit: (blocks: readonly ReadBlock[]) => readonly ReadBlock[];
  /** Returns whether fewer nodes than a majority decide about logs. */
  readonly isAlone: () => boolean;
}

/**
 * Waits for logs, but only for a limited time. After that, the nodes that have all
 * logs decide alone, if most nodes still lack them. If no node has them, because
 * some chains report Bloom filters that do not match their logs, or if nodes report
 * different ones, blocks are added with those that most nodes report.
 *
 * Input: the number of nodes, the maximum time to wait, and a function that is
 * called with the first block for which it has waited too long.
 */
export function createLogPatience(
  nodes: number,
  patienceMs: number,
  onGiveUp: (block: ReadBlock) => void,
): LogPatience {
  const voters = createVoters(nodes, patienceMs);
  const isMissingForLong = createPatience(patienceMs);
  let decides: readonly boolean[] = [];
  let isOver = false;
  const isAdmitted = ({ isComplete, unconfirmed }: ReadBlock): boolean => {
    if (isComplete) return true;
    if (unconfirmed === undefined) return isOver;
    const count = decides.filter((each) => each).length;
    const having = unconfirmed.by.filter((position) => decides[position]);
    return voters.areFew() && having.length >= majorityOf(count);
  };
  const admit = (blocks: readonly ReadBlock[]): readonly ReadBlock[] => {
    const [first] = blocks;
    if (first === undefined) return [];
    const areFew = first.unconfirmed !== undefined;
    const wasAlone = voters.areFew();
    if (first.unconfirmed === undefined) voters.forget();
    else decides = voters.choose(new Set(first.unconfirmed.by));
    const isAlone = voters.areFew();
    const isNowOver = isMissingForLong(!first.isComplete && !areFew);
    if (blocks.some(({ isComplete, logs }) => isComplete && logs.length > 0)) {
      isOver = false;
    }
    if ((isAlone && !wasAlone) || (isNowOver && !isOver)) onGiveUp(first);
    isOver ||= isNowOver;
    const end = blocks.findIndex((block) => !isAdmitted(block));
    return blocks.slice(0, end < 0 ? blocks.length : end).map(believeFew);
  };
  return { admit, isAlone: voters.areFew };
}

/** Returns a block with the logs that too few nodes confirm, if there are any. */
function believeFew({ unconfirmed, ...block }: ReadBlock): ReadBlock {
  return unconfirmed === undefined
    ? block
    : { ...block, logs: unconfirmed.logs, isComplete: true };
}

/** The dependencies of a repair. */
export interface RepairOptions extends Omit<LogSource, "nodes"> {
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
 * Input: the nodes that decide. A block that they do not return stays incomplete.
 * Errors: any error from the database or the consumer. After an error, nothing has
 * changed.
 */
export function createRepair(
  options: RepairOptions,
): (nodes: readonly FollowedNode[]) => Promise<void> {
  const { consumer, intervalMs, log, place } = options;
  let repairedAt = performance.now();
  const readAgain = async (
    { hash, number }: IncompleteBlock,
    nodes: readonly FollowedNode[],
  ): Promise<ReadBlock | undefined> => {
    const header = await readAgreedHeader(nodes, number);
    if (header.hash !== hash) return undefined;
    const [block] = await readLogsByHash({ ...options, nodes }, [header]);
    return block;
  };
  const repair = async (
    known: IncompleteBlock,
    nodes: readonly FollowedNode[],
  ): Promise<void> => {
    // One block that nodes lack must not stop the others, or the follower.
    const block = await readAgain(known, nodes).catch((error: unknown) => {
      if (error instanceof BaseError) return undefined;
      throw error;
    });
    if (block === undefined) return;
    const isNews = block.logs.length > known.seen_logs.length;
    if (!isNews && !block.isComplete) return;
    const processed = new Set(known.seen_logs);
    await addLateLogs(place, consumer, { ...block, processed }, known.round);
    const { follower, chainId } = place;
    const facts = { follower, chainId, number: known.number };
    log.info(facts, "the missing logs of a block have arrived");
  };
  return async (nodes) => {
    if (performance.now() - repairedAt < intervalMs) return;
    repairedAt = performance.now();
    for (const block of await findIncomplete(place)) {
      await repair(block, nodes);
    }
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
  const added = place.database.transaction().execute(async (transaction) => {
    if (!(await lock(transaction, place))) return false;
    const indexes = block.logs.map(({ logIndex }) => logIndex);
    const { numUpdatedRows } = await transaction
      .updateTable("followed_blocks")
      .set({ seen_logs: block.isComplete ? null : indexes })
      .where(isOf(place))
      .where("hash", "=", block.hash)
      .where("is_canonical", "=", true)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) return false;
    await consumer.onBlocks(transaction, [{ ...block, round }]);
    return true;
  });
  if (await added) consumer.onCommitted?.();
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
