import { createHash } from "node:crypto";

import { sql } from "kysely";
import { type Hash, zeroAddress, zeroHash } from "viem";

import { KnownContractType } from "../../../generated/index.js";
import {
  KnownLogDataType,
  KnownNotificationType,
  type WebhookNotification,
} from "../../../generated/indexer/types.js";
import type { Database, Transaction } from "../../database/schema.js";
import type {
  BlockLog,
  FollowedBlock,
  ReadBlock,
} from "../../follower/block.js";
import type { Listener } from "./listener.js";

/** A listener that caused more work than its project's budget allows. */
export interface SetAside extends Pick<Listener, "id" | "projectId"> {
  /** The work in the block, in values. */
  readonly work: number;
  /** The log that exceeded the budget. */
  readonly log: BlockLog;
}

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
 * The maximum number of blocks for which a listener is set aside. Anybody can
 * emit logs that exceed its budget, so it must not be long.
 */
const maxPauseBlocks = 16;

/** Resumes the listeners that were set aside until one of some blocks. */
export async function resumeListeners(
  database: Database,
  chainId: number,
  [block]: readonly ReadBlock[],
): Promise<void> {
  if (block === undefined) return;
  await sql`
    update webhook_listeners
    set set_aside_reason = null, updated_at = clock_timestamp()
    where chain_id = ${chainId} and set_aside_reason is not null
      and coalesce(set_aside_until, 0) <= ${block.number}`.execute(database);
}

/**
 * Sets aside the listeners that caused too much work in some blocks: they match
 * no further logs for some blocks, more each time. Webhooks that are already
 * waiting are still sent. Also counts skipped logs.
 *
 * Input: what was not compared with listeners, by block hash, and a function
 * called between steps.
 * Returns a notification for each listener and block.
 */
export async function noteUnsent(
  transaction: Transaction,
  blocks: readonly FollowedBlock[],
  unsent: ReadonlyMap<Hash, Unsent>,
  giveWay: () => Promise<void>,
): Promise<readonly ListenerNotice[]> {
  const notices: ListenerNotice[] = [];
  const last = blocks.at(-1)?.number ?? 0;
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
    const aside = await storeSetAside(transaction, block, last, setAside);
    await add("LISTENER_SET_ASIDE", setAside, aside);
    await add(
      "LOGS_SKIPPED",
      skipped,
      await storeSkipped(transaction, block, skipped),
    );
  }
  return notices;
}

/** Returns the reasons of the listeners that were not set aside before. */
async function storeSetAside(
  transaction: Transaction,
  { number }: FollowedBlock,
  last: number,
  setAside: readonly SetAside[],
): Promise<ReadonlyMap<number, string>> {
  if (setAside.length === 0) return new Map();
  const causes = setAside.map(
    ({ log, work }) =>
      `the listeners of the project needed too much work in block ${number}, and this one needed ${work} units; name contracts or select fewer events; no events from log ${log.logIndex} of this block to block `,
  );
  const { rows } = await sql<{ readonly id: number; readonly reason: string }>`
    with given as (
      select * from unnest(
        ${setAside.map(({ id }) => id)}::bigint[], ${causes}::text[]
      ) as given (listener_id, cause)
    ), pauses as (
      select listener_id, cause, case
        -- It has not worked for as long as it was set aside.
        when set_aside_until + set_aside_blocks >= ${number}
        then least(2 * set_aside_blocks, ${maxPauseBlocks}) else 1 end as blocks
      from given join webhook_listeners on id = listener_id
    )
    update webhook_listeners
    set set_aside_blocks = blocks,
      set_aside_until = greatest(${number} + blocks, ${last}) + 1,
      set_aside_reason =
        cause || greatest(${number} + blocks, ${last}) || ' are sent',
      updated_at = clock_timestamp()
    from pauses where id = listener_id and set_aside_reason is null
    returning id, set_aside_reason as reason`.execute(transaction);
  return new Map(rows.map(({ id, reason }) => [id, reason]));
}

async function storeSkipped(
  transaction: Transaction,
  { number }: FollowedBlock,
  skipped: readonly SkippedLogs[],
): Promise<ReadonlyMap<number, string>> {
  if (skipped.length === 0) return new Map();
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
