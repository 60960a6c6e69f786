import { createHash } from "node:crypto";

import type { ContractType } from "../../../generated/index.js";
import {
  type EventData,
  KnownLogDataType,
  KnownNotificationType,
  type WebhookNotification,
} from "../../../generated/indexer/types.js";
import type { BlockLog, FollowedBlock } from "../../follower/block.js";
import type { DecodedEvent } from "./decode-event.js";
import { findTokenEvent } from "./token-events.js";

/** A log along with its block and chain. */
export interface LogPlace {
  readonly chainId: number;
  readonly block: FollowedBlock;
  /** The index of each transaction's first log. */
  readonly firstIndexes: ReadonlyMap<string, number>;
  readonly log: BlockLog;
}

/** Returns the index of the first log of each transaction. */
export function indexTransactions({
  logs,
}: Pick<FollowedBlock, "logs">): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const { logIndex, transactionHash } of logs) {
    if (!found.has(transactionHash)) found.set(transactionHash, logIndex);
  }
  return found;
}

/**
 * Creates the notification for a log of a block that was added to the chain.
 */
export function createNotification(
  place: LogPlace,
  contractType: ContractType,
  decoded: DecodedEvent | null,
): WebhookNotification {
  const { block, log } = place;
  const facts = findTokenEvent(log.topics);
  return {
    uid: uidOf(place),
    type: KnownNotificationType.BLOCK_ADDED,
    blockNumber: block.number,
    blockHash: block.hash,
    parentBlockHash: block.parentHash,
    contractAddress: log.address,
    contractType,
    txnHash: log.transactionHash,
    txnIndex: log.transactionIndex,
    txnLogIndex: String(indexInTransaction(place)),
    ts: block.minedAt.toISOString(),
    event: toEventData(log, decoded),
    logDataType:
      decoded === null || facts === null
        ? KnownLogDataType.EVENT
        : facts.logDataType,
    rawLog: { data: log.data, topics: [...log.topics] },
  };
}

/** The size of what all notifications contain, in bytes. */
const fixedSize = 1500;

/** Returns about how many bytes of JSON a notification of a log takes. */
export function estimateSize(
  { data, topics }: BlockLog,
  decoded: DecodedEvent | null,
): number {
  const values = decoded?.values ?? [];
  const texts = [data, ...topics, ...values];
  return texts.reduce((sum, { length }) => sum + length, fixedSize);
}

/** Creates the notification for the removal of a block. */
export function toRemoval(
  notification: WebhookNotification,
): WebhookNotification {
  return {
    ...notification,
    uid: hashOf(`${notification.uid} removed`),
    type: KnownNotificationType.BLOCK_REMOVED,
  };
}

function toEventData(log: BlockLog, decoded: DecodedEvent | null): EventData {
  const inputs = decoded?.event.inputs ?? [];
  return {
    topicHash: log.topics[0] ?? "",
    eventSig: decoded?.event.signature ?? "",
    types: inputs.map(({ type }) => type),
    names: inputs.map(({ name }) => name),
    values: [...(decoded?.values ?? [])],
  };
}

/**
 * Returns an ID that is the same for a log in all instances and after a
 * restart.
 */
function uidOf({ chainId, block, log }: LogPlace): string {
  const parts = [chainId, block.hash, log.transactionHash, log.logIndex];
  // If the block was removed and then added again, its logs are new.
  if (block.round > 1) parts.push(block.round);
  return hashOf(parts.join(" "));
}

function hashOf(text: string): string {
  return `0x${createHash("sha256").update(text).digest("hex")}`;
}

/**
 * Returns the index of a log within its transaction. Chains number logs within
 * the block, so this counts from the transaction's first log.
 */
function indexInTransaction({ firstIndexes, log }: LogPlace): number {
  return log.logIndex - (firstIndexes.get(log.transactionHash) ?? log.logIndex);
}
