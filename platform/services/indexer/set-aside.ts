import { createHash } from "node:crypto";

import { sql } from "kysely";
import { zeroAddress, zeroHash } from "viem";

import { KnownContractType } from "../../../generated/index.js";
import {
  KnownLogDataType,
  KnownNotificationType,
  type WebhookNotification,
} from "../../../generated/indexer/types.js";
import type { Transaction } from "../../database/schema.js";
import type { FollowedBlock } from "../../follower/block.js";
import { groupBy } from "../../follower/group-by.js";

/** A listener that caused more work than its project's budget allows. */
export interface SetAside {
  readonly listenerId: number;
  readonly projectId: number;
  /** The work in the block, in values. Infinity if one log is too large. */
  readonly work: number;
}

/** A notification for a listener that was set aside. */
export interface SetAsideNotice {
  readonly listenerId: number;
  readonly projectId: number;
  readonly notification: WebhookNotification;
}

/**
 * Sets listeners aside: they match no further logs until they are changed or
 * resumed. Webhooks that are already waiting are still sent.
 *
 * Input: the budget of a project for a block, and the block that exceeded it.
 * Returns a notification for each listener that was not set aside before.
 */
export async function setAsideListeners(
  transaction: Transaction,
  budget: number,
  block: FollowedBlock,
  listeners: readonly SetAside[],
): Promise<readonly SetAsideNotice[]> {
  if (listeners.length === 0) return [];
  const reasons = listeners.map(({ work }) => reasonOf(block, budget, work));
  const { rows } = await sql<{ readonly id: number; readonly reason: string }>`
    update webhook_listeners
    set set_aside_reason = reason, updated_at = clock_timestamp()
    from unnest(
      ${listeners.map(({ listenerId }) => listenerId)}::bigint[],
      ${reasons}::text[]
    ) as given (listener_id, reason)
    where id = listener_id and set_aside_reason is null
    returning id, reason`.execute(transaction);
  const byId = groupBy(listeners, ({ listenerId }) => listenerId);
  return rows.flatMap(({ id, reason }) =>
    (byId.get(id) ?? []).map(({ listenerId, projectId }) => ({
      ...{ listenerId, projectId },
      notification: createNotice(block, listenerId, reason),
    })),
  );
}

function reasonOf(
  { number }: FollowedBlock,
  budget: number,
  work: number,
): string {
  const cause = Number.isFinite(work)
    ? `the listeners of the project needed more than ${budget} units of work in block ${number}, and this one needed ${work}`
    : `a log in block ${number} is too large to decode`;
  return `${cause}; name contracts or select fewer events`;
}

/** Creates the notification that tells a receiver why it gets no more events. */
function createNotice(
  block: FollowedBlock,
  listenerId: number,
  reason: string,
): WebhookNotification {
  const uid = createHash("sha256")
    .update(`${listenerId} ${block.hash} ${block.round} set aside`)
    .digest("hex");
  return {
    uid: `0x${uid}`,
    type: KnownNotificationType.LISTENER_SET_ASIDE,
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
