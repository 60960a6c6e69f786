import { createHash } from "node:crypto";

import { sql } from "kysely";
import { type Hash, zeroAddress, zeroHash } from "viem";

import { KnownContractType } from "../../../generated/index.js";
import {
  KnownLogDataType,
  KnownNotificationType,
  type WebhookNotification,
} from "../../../generated/indexer/types.js";
import { piecesOf } from "../../database/pieces.js";
import type { Database, Transaction } from "../../database/schema.js";
import type {
  BlockLog,
  FollowedBlock,
  ReadBlock,
} from "../../follower/block.js";
import { giveWay } from "../../process/concurrency/give-way.js";
import type { Listener } from "./listener.js";
import type { Excess } from "./work-budget.js";

/** A listener that was not compared with the rest of a block's logs. */
export type SetAside = Pick<Listener, "id" | "projectId"> & Excess;

/** The logs of a block that were too large to be compared with a listener. */
export interface SkippedLogs extends Pick<Listener, "id" | "projectId"> {
  readonly count: number;
  readonly first: BlockLog;
}

/** What was not compared with listeners in a block. */
export interface Unsent {
  readonly setAside: readonly SetAside[];
  readonly skipped: readonly SkippedLogs[];
}

/** A notification that a listener was not sent all events. */
export interface ListenerNotice {
  readonly listenerId: number;
  readonly projectId: number;
  readonly notification: WebhookNotification;
}

/**
 * The number of blocks that a notice covers. If a listener causes too much work
 * in many blocks, its owner is told once for all of these.
 */
const noticeBlocks = 16;

/** Forgets why listeners were set aside if no recent block is affected. */
export async function forgetReasons(
  database: Database,
  chainId: number,
  [block]: readonly ReadBlock[],
): Promise<void> {
  if (block === undefined) return;
  await sql`
    update webhook_listeners set set_aside_reason = null
    where chain_id = ${chainId} and set_aside_reason is not null
      and coalesce(set_aside_until, 0) <= ${block.number}`.execute(database);
}

/**
 * Stores why listeners were not sent all events of some blocks.
 *
 * Input: what was not compared with listeners, by block hash.
 * Returns the notifications for their owners.
 */
export async function noteUnsent(
  transaction: Transaction,
  blocks: readonly FollowedBlock[],
  unsent: ReadonlyMap<Hash, Unsent>,
): Promise<readonly ListenerNotice[]> {
  const notices: ListenerNotice[] = [];
  for (const block of blocks) {
    const { setAside = [], skipped = [] } = unsent.get(block.hash) ?? {};
    const add = async (
      type: keyof typeof KnownNotificationType,
      listeners: readonly Pick<Listener, "id" | "projectId">[],
      reasons: ReadonlyMap<number, string>,
    ): Promise<void> => {
      for (const { id: listenerId, projectId } of listeners) {
        await giveWay();
        const reason = reasons.get(listenerId);
        if (reason === undefined) continue;
        const notification = createNotice(block, listenerId, type, reason);
        notices.push({ listenerId, projectId, notification });
      }
    };
    for (const some of piecesOf(setAside)) {
      const reasons = await storeSetAside(transaction, block, some);
      await add("LISTENER_SET_ASIDE", some, reasons);
    }
    for (const some of piecesOf(skipped)) {
      const reasons = await storeSkipped(transaction, block, some);
      await add("LOGS_SKIPPED", some, reasons);
    }
  }
  return notices;
}

/** Returns the reasons of the listeners that no earlier notice covers. */
async function storeSetAside(
  transaction: Transaction,
  { number }: FollowedBlock,
  setAside: readonly SetAside[],
): Promise<ReadonlyMap<number, string>> {
  const last = number + noticeBlocks - 1;
  const reasons = setAside.map(({ isOwn, work }) => {
    const cause = isOwn
      ? `the listeners of the project needed too much work in block ${number}, ${work} units of it for this one; name contracts or select fewer events`
      : `the listeners of all projects needed too much work in block ${number}`;
    return `${cause}; some events of blocks ${number} to ${last} are not sent, first those of the contracts with most work`;
  });
  const { rows } = await sql<{ readonly id: number; readonly reason: string }>`
    update webhook_listeners
    set set_aside_until = ${last + 1}, set_aside_reason = reason
    from unnest(
      ${setAside.map(({ id }) => id)}::bigint[], ${reasons}::text[]
    ) as given (listener_id, reason)
    where id = listener_id and (
      set_aside_reason is null
      or ${number} not between set_aside_until - ${noticeBlocks}
        and set_aside_until - 1
    )
    returning id, reason`.execute(transaction);
  return new Map(rows.map(({ id, reason }) => [id, reason]));
}

async function storeSkipped(
  transaction: Transaction,
  { number }: FollowedBlock,
  skipped: readonly SkippedLogs[],
): Promise<ReadonlyMap<number, string>> {
  const reasons = skipped.map(
    ({ count, first }) =>
      `${count} ${count === 1 ? "log" : "logs"} of block ${number} were too large to decode and skipped, the first one in transaction ${first.transactionHash} (log ${first.logIndex})`,
  );
  await sql`
    update webhook_listeners
    set skipped_logs = skipped_logs + count, skipped_reason = reason
    from unnest(
      ${skipped.map(({ id }) => id)}::bigint[],
      ${skipped.map(({ count }) => count)}::int[],
      ${reasons}::text[]
    ) as given (listener_id, count, reason)
    where id = listener_id`.execute(transaction);
  return new Map(skipped.map(({ id }, index) => [id, reasons[index] ?? ""]));
}

/** Creates the notification that tells a receiver which events it lacks. */
function createNotice(
  block: FollowedBlock,
  listenerId: number,
  type: keyof typeof KnownNotificationType,
  reason: string,
): WebhookNotification {
  const uid = createHash("sha256")
    .update(`${listenerId} ${block.hash} ${block.round} ${type}`)
    .digest("hex");
  return {
    uid: `0x${uid}`,
    type,
    reason,
    blockNumber: block.number,
    blockHash: block.hash,
    parentBlockHash: block.parentHash,
    contractAddress: zeroAddress,
    contractType: KnownContractType.UNKNOWN,
    txnHash: zeroHash,
    txnIndex: 0,
    txnLogIndex: "0",
    ts: block.minedAt.toISOString(),
    event: {
      ...{ topicHash: zeroHash, eventSig: "" },
      ...{ types: [], names: [], values: [] },
    },
    logDataType: KnownLogDataType.EVENT,
    rawLog: { data: "0x", topics: [] },
  };
}
