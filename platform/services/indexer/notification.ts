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

/** A log, and where it comes from. */
export interface LogPlace {
  readonly chainId: number;
  readonly block: FollowedBlock;
  readonly log: BlockLog;
}

/** What listeners are told of a log of a block that has come into the chain. */
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

/** What they are told when the block has gone out of the chain. */
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

/** The same for the same log, also in another instance and after a restart. */
function uidOf({ chainId, block, log }: LogPlace): string {
  const parts = [chainId, block.hash, log.transactionHash, log.logIndex];
  // Back after it was taken away, it is news again.
  if (block.round > 1) parts.push(block.round);
  return hashOf(parts.join(" "));
}

function hashOf(text: string): string {
  return `0x${createHash("sha256").update(text).digest("hex")}`;
}

/** Chains number logs in the block. */
function indexInTransaction({ block, log }: LogPlace): number {
  const first = block.logs.find(
    ({ transactionHash }) => transactionHash === log.transactionHash,
  );
  return log.logIndex - (first ?? log).logIndex;
}
