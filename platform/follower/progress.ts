import { type RawBuilder, sql } from "kysely";
import type { Hash } from "viem";

import { piecesOf, readInPieces } from "../database/pieces.js";
import type { Database, Transaction } from "../database/schema.js";
import type { BlockHeader } from "../network/block-header.js";
import type { BlockConsumer, ReadBlock } from "./block.js";

/** Identifies a follower on a chain. */
export interface FollowerIdentity {
  readonly database: Database;
  /** The name of the follower. */
  readonly follower: string;
  readonly chainId: number;
  /** A UUID that identifies the instance. */
  readonly holder: string;
  /**
   * If an instance has not renewed its lease for this long, another one takes
   * over.
   */
  readonly leaseMs: number;
}

/** The progress of a follower. */
export interface Position {
  readonly nextNumber: number;
  /** The last processed block, or null if none is known. */
  readonly tip: StoredBlock | null;
}

/** A block whose hash is stored. */
type StoredBlock = Pick<BlockHeader, "number" | "hash">;

/**
 * The number of blocks to keep. A deeper reorganization cannot be undone
 * completely.
 */
export const retainedBlocks = 512;

/**
 * The number of additional blocks that are kept before old ones are removed.
 */
const pruneInterval = 32;

/**
 * The number of blocks without all logs that are kept longer, so that they are
 * read again. On chains whose filters do not match, all blocks lack logs.
 */
const retainedIncomplete = 10_000;

/** When and where a step found the head of the chain. */
export interface HeadReading {
  /** The number of the head. */
  readonly number: number;
  /**
   * The time on the monotonic clock when the head was requested, if the last
   * block of the step is the head. Otherwise, null.
   */
  readonly currentAt: number | null;
}

/** Thrown if another instance has taken over the chain. */
export class LeaseLostError extends Error {
  override readonly name = "LeaseLostError";
}

/** Matches the rows of a follower on a chain. */
export const isOf = ({
  follower,
  chainId,
}: Pick<FollowerIdentity, "follower" | "chainId">) =>
  sql<boolean>`follower = ${follower} and chain_id = ${chainId}`;

/** Matches the position of a follower if the instance has the lease. */
export const isHeldBy = (
  place: Pick<FollowerIdentity, "follower" | "chainId" | "holder">,
) => sql<boolean>`${isOf(place)} and holder = ${place.holder}`;

/** Sets the first block to follow if the chain is not followed yet. */
export async function startAt(
  { database, follower, chainId }: Omit<FollowerIdentity, "holder" | "leaseMs">,
  nextNumber: number,
): Promise<void> {
  await database
    .insertInto("followed_chains")
    .values({
      follower,
      chain_id: chainId,
      next_number: nextNumber,
      first_number: nextNumber,
      holder: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Returns whether a follower has a position on a chain. */
export async function hasBegun(
  place: Omit<FollowerIdentity, "holder" | "leaseMs">,
): Promise<boolean> {
  const row = await place.database
    .selectFrom("followed_chains")
    .select("chain_id")
    .where(isOf(place))
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns the IDs of the chains on which a follower has a position. */
export async function findFollowedChains(
  database: Database,
  follower: string,
): Promise<readonly number[]> {
  const rows = await database
    .selectFrom("followed_chains")
    .select("chain_id")
    .where("follower", "=", follower)
    .execute();
  return rows.map((row) => row.chain_id);
}

/**
 * Forgets the position and the blocks of a follower, so that it starts at the
 * head when it is needed again.
 *
 * Input: the SQL condition under which it is still not needed.
 */
export async function forgetChain(
  { database, follower, chainId }: Omit<FollowerIdentity, "holder" | "leaseMs">,
  isUnused: RawBuilder<boolean>,
): Promise<void> {
  const place = isOf({ follower, chainId });
  await database.transaction().execute(async (transaction) => {
    const row = await transaction
      .selectFrom("followed_chains")
      .select("chain_id")
      .where(place)
      .where(isUnused)
      .forUpdate()
      .executeTakeFirst();
    if (row === undefined) return;
    await transaction.deleteFrom("followed_blocks").where(place).execute();
    await transaction.deleteFrom("followed_chains").where(place).execute();
  });
}

const leaseEnd = (leaseMs: number) =>
  // A transaction can take long, so it must not count from its start.
  sql<Date>`clock_timestamp() + ${leaseMs} * interval '1 millisecond'`;

/**
 * Acquires the lease on a chain. Returns the position, or null if another
 * instance has the lease.
 */
export async function takeLease(
  place: FollowerIdentity,
): Promise<Position | null> {
  const { database, follower, holder, leaseMs } = place;
  // Skip a locked row, so that an instance that freezes in a transaction only
  // blocks its own chain.
  const row = await database
    .updateTable("followed_chains")
    .set({ holder, held_until: leaseEnd(leaseMs) })
    .where("follower", "=", follower)
    .where("chain_id", "=", (rows) =>
      rows
        .selectFrom("followed_chains")
        .select("chain_id")
        .where(isOf(place))
        .where((either) =>
          either.or([
            either("holder", "=", holder),
            either("held_until", "<", sql<Date>`now()`),
          ]),
        )
        .forUpdate()
        .skipLocked(),
    )
    .returning("next_number")
    .executeTakeFirst();
  if (row === undefined) return null;
  const nextNumber = row.next_number;
  return { nextNumber, tip: await readTip(place, nextNumber) };
}

/** Renews the lease. Returns false if another instance has taken over. */
export async function renewLease(place: FollowerIdentity): Promise<boolean> {
  const { numUpdatedRows } = await place.database
    .updateTable("followed_chains")
    .set({ held_until: leaseEnd(place.leaseMs) })
    .where(isHeldBy(place))
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/**
 * Records that the follower has reached the head of the chain.
 *
 * Input: the time when the chain was queried, according to the monotonic clock.
 */
export async function recordCurrent(
  place: FollowerIdentity,
  askedAt: number,
): Promise<void> {
  await place.database
    .updateTable("followed_chains")
    .set({
      current_at: momentOf(askedAt),
      head_number: sql<number>`next_number - 1`,
    })
    .where(isHeldBy(place))
    .execute();
}

/**
 * Converts a time on the monotonic clock to the database's clock. The result is
 * correct even if this instance's system clock is wrong.
 */
function momentOf(askedAt: number) {
  const ageMs = performance.now() - askedAt;
  return sql<Date>`now() - ${ageMs} * interval '1 millisecond'`;
}

/**
 * Releases the lease, so that another instance can take over the chain
 * immediately.
 */
export async function giveUpLease(place: FollowerIdentity): Promise<void> {
  await place.database
    .updateTable("followed_chains")
    .set({ held_until: sql<Date>`now()`, holder: null })
    .where(isHeldBy(place))
    .execute();
}

/**
 * Returns the block before the next one, or null if it is not stored, because the
 * chain has forked below the stored blocks. Older ones only wait for logs.
 */
async function readTip(
  place: FollowerIdentity,
  nextNumber: number,
): Promise<Position["tip"]> {
  const last = await selectLast(place).executeTakeFirst();
  return last?.number === nextNumber - 1 ? last : null;
}

/** Selects the last block of the chain that is stored. */
function selectLast(place: FollowerIdentity, limit = 1) {
  return place.database
    .selectFrom("followed_blocks")
    .select(["number", "hash"])
    .where(isOf(place))
    .where("is_canonical", "=", true)
    .orderBy("number", "desc")
    .limit(limit);
}

/** Returns the last blocks of the chain that are stored, last one first. */
export async function readCanonical(
  place: FollowerIdentity,
): Promise<readonly StoredBlock[]> {
  const last = await selectLast(place).executeTakeFirst();
  if (last === undefined) return [];
  // Older ones only wait for logs: blocks after them are no longer stored.
  const oldest = last.number - retainedBlocks;
  return readInPieces<StoredBlock>((before, limit) =>
    selectLast(place, limit)
      .where("number", ">", oldest)
      .where("number", "<", before?.number ?? last.number + 1)
      .execute(),
  );
}

/**
 * Adds blocks after the current position. Numbers that are missing belong to
 * blocks without requested logs.
 *
 * Errors: LeaseLostError; any error from the consumer or the database. After an
 * error, nothing has changed.
 */
export async function addBlocks(
  place: FollowerIdentity,
  consumer: BlockConsumer,
  blocks: readonly ReadBlock[],
  head: HeadReading | null = null,
): Promise<Position> {
  await consumer.prepare?.(place.database, blocks);
  const moved = place.database.transaction().execute(async (transaction) => {
    const tip = blocks.at(-1);
    if (tip === undefined) throw new Error("there are no blocks to add");
    const position = { nextNumber: tip.number + 1, tip };
    await move(transaction, place, position.nextNumber, head);
    const rounds = await insertBlocks(transaction, place, blocks);
    const added = blocks.map((block) => ({
      ...block,
      round: rounds.get(block.hash) ?? 1,
    }));
    const since = performance.now();
    await consumer.onBlocks(transaction, added);
    // No other transaction can renew the lease of a locked row.
    if (performance.now() - since > place.leaseMs / 3) {
      await renewLease({ ...place, database: transaction });
    }
    // It is enough to remove old blocks occasionally.
    if (blocks.length > 1 || tip.number % pruneInterval === 0) {
      await forgetBlocks(transaction, place, tip.number - retainedBlocks);
    }
    return position;
  });
  await moved;
  consumer.onCommitted?.();
  return moved;
}

/**
 * Removes all blocks starting at a number.
 *
 * Input: `nextNumber` is the number of the first block to remove.
 * Returns the new position and the number of removed blocks.
 * Errors: the same as for `addBlocks`.
 */
export function removeBlocks(
  place: FollowerIdentity,
  consumer: BlockConsumer,
  nextNumber: number,
): Promise<{ readonly position: Position; readonly count: number }> {
  return place.database.transaction().execute(async (transaction) => {
    await move(transaction, place, nextNumber, null);
    const here = { ...place, database: transaction };
    const removed = await readInPieces<BlockHeader>((_, limit) =>
      transaction
        .updateTable("followed_blocks")
        .set({ is_canonical: false })
        .where(isOf(place))
        .where(
          "hash",
          "in",
          selectLast(here, limit)
            .clearSelect()
            .select("hash")
            .where("number", ">=", nextNumber),
        )
        .returning([
          "number",
          "hash",
          "parent_hash as parentHash",
          "mined_at as minedAt",
        ])
        .execute(),
    );
    const lastFirst = removed.sort((a, b) => b.number - a.number);
    await consumer.onBlocksRemoved(transaction, lastFirst);
    const tip = await readTip(here, nextNumber);
    return { position: { nextNumber, tip }, count: removed.length };
  });
}

/**
 * Updates the position, renews the lease, and locks the row until the
 * transaction ends. If this instance freezes, the database aborts the
 * transaction.
 */
async function move(
  transaction: Transaction,
  place: FollowerIdentity,
  nextNumber: number,
  head: HeadReading | null,
): Promise<void> {
  const currentAt = head?.currentAt ?? null;
  const { numUpdatedRows } = await transaction
    .updateTable("followed_chains")
    .set({
      next_number: nextNumber,
      held_until: leaseEnd(place.leaseMs),
      current_at: currentAt === null ? null : momentOf(currentAt),
      ...(head !== null && { head_number: head.number }),
    })
    .where(isHeldBy(place))
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw new LeaseLostError();
}

/** Inserts blocks. Returns how many times each one was added, by hash. */
async function insertBlocks(
  transaction: Transaction,
  { follower, chainId }: FollowerIdentity,
  blocks: readonly ReadBlock[],
): Promise<ReadonlyMap<Hash, number>> {
  const rounds = new Map<Hash, number>();
  for (const some of piecesOf(blocks)) {
    const rows = await transaction
      .insertInto("followed_blocks")
      .values(
        some.map(({ hash, isComplete, logs, minedAt, number, parentHash }) => ({
          follower,
          chain_id: chainId,
          hash,
          parent_hash: parentHash,
          number,
          mined_at: minedAt,
          seen_logs: isComplete ? null : logs.map(({ logIndex }) => logIndex),
        })),
      )
      .onConflict((conflict) =>
        conflict
          .columns(["follower", "chain_id", "hash"])
          .doUpdateSet((row) => ({
            is_canonical: true,
            round: row("followed_blocks.round", "+", 1),
            seen_logs: row.ref("excluded.seen_logs"),
          })),
      )
      .returning(["hash", "round"])
      .execute();
    for (const { hash, round } of rows) rounds.set(hash, round);
  }
  return rounds;
}

/** Forgets blocks up to a number, apart from the last ones without all logs. */
async function forgetBlocks(
  transaction: Transaction,
  place: FollowerIdentity,
  number: number,
): Promise<void> {
  const isWaiting = sql<boolean>`is_canonical and seen_logs is not null`;
  const lastForgotten = transaction
    .selectFrom("followed_blocks")
    .select("number")
    .where(isOf(place))
    .where(isWaiting)
    .orderBy("number", "desc")
    .offset(retainedIncomplete)
    .limit(1);
  await transaction
    .deleteFrom("followed_blocks")
    .where(isOf(place))
    .where("number", "<=", number)
    .where(sql<boolean>`(not (${isWaiting}) or number <= (${lastForgotten}))`)
    .execute();
}
