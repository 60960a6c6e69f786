import { type Kysely, sql } from "kysely";
import type { Hash } from "viem";

import type { WebhookNotification } from "../../../generated/indexer/types.js";
import type { Tables } from "../../database/schema.js";
import type { BlockConsumer, FollowedBlock } from "../../follower/block.js";
import { enqueue, type NewJob } from "../../queue/enqueue.js";
import { createBacklog } from "./backlog.js";
import type { FindStandard } from "./contract-standard.js";
import type { ListenerIndex } from "./listener-index.js";
import { createNotification, toRemoval } from "./notification.js";
import { findTokenEvent } from "./token-events.js";

/** The name of the indexer's follower. */
export const indexerFollower = "indexer";

/** The queue of pending deliveries. */
export const deliveryQueue = "webhooks";

/** The payload of a delivery job. */
export interface Delivery {
  readonly listenerId: number;
  /** The project that owns the listener. */
  readonly projectId: number;
  readonly notification: WebhookNotification;
}

/** Options for indexing the logs of a chain. */
export interface IndexOptions {
  readonly chainId: number;
  readonly index: ListenerIndex;
  readonly findStandard: FindStandard;
  /** The maximum number of pending deliveries per project. */
  readonly maxPerProject: number;
  /** Called with the number of deliveries beyond the limit. */
  readonly onRejected: (count: number) => void;
}

/** Creates a consumer that enqueues the notifications of each block. */
export function createBlockIndexer(options: IndexOptions): BlockConsumer {
  const { chainId, findStandard, index } = options;
  const admit = createBacklog({ ...options, queue: deliveryQueue });
  return {
    prepare: async (database, blocks) => {
      if ((await index.refresh(database)) === 0) return;
      const logs = blocks.flatMap((block) => block.logs);
      const matched = logs.filter((log) => index.find(log).length > 0);
      const contracts = new Set(matched.map(({ address }) => address));
      await Promise.all([...contracts].map(findStandard));
    },
    onBlocks: async (transaction, blocks) => {
      if ((await index.refresh(transaction)) === 0) return;
      const found: Delivery[] = [];
      for (const block of blocks) {
        found.push(...(await findDeliveries(options, block)));
      }
      const deliveries = await admit(transaction, found);
      await remember(transaction, chainId, deliveries);
      await enqueue(transaction, deliveryQueue, deliveries.map(toJob));
    },
    onBlocksRemoved: async (transaction, blocks) => {
      const hashes = blocks.map(({ hash }) => hash);
      const deliveries = await forget(transaction, chainId, hashes);
      const removals = deliveries.map((delivery) => ({
        ...delivery,
        notification: toRemoval(delivery.notification),
      }));
      await enqueue(transaction, deliveryQueue, removals.map(toJob));
    },
  };
}

async function findDeliveries(
  { chainId, findStandard, index }: IndexOptions,
  block: FollowedBlock,
): Promise<readonly Delivery[]> {
  const deliveries: Delivery[] = [];
  for (const log of block.logs) {
    const facts = findTokenEvent(log.topics);
    for (const { listenerId, projectId, decoded } of index.find(log)) {
      const known = decoded === null ? null : facts?.contractType;
      const contractType = known ?? (await findStandard(log.address));
      const place = { chainId, block, log };
      const notification = createNotification(place, contractType, decoded);
      deliveries.push({ listenerId, projectId, notification });
    }
  }
  return deliveries;
}

/** Creates the job of a delivery. */
export function toJob(delivery: Delivery): NewJob {
  const { listenerId, notification, projectId } = delivery;
  const { blockHash, txnHash, txnLogIndex, uid } = notification;
  return {
    key: `${listenerId}:${uid}`,
    payload: delivery,
    lane: String(projectId),
    // A listener receives all notifications about a log in order.
    sequence: `${listenerId}:${blockHash}:${txnHash}:${txnLogIndex}`,
  };
}

/**
 * Stores notifications, so that they can be retracted if a reorganization
 * removes their blocks.
 */
async function remember(
  database: Kysely<Tables>,
  chainId: number,
  deliveries: readonly Delivery[],
): Promise<void> {
  if (deliveries.length === 0) return;
  const hashes = deliveries.map(({ notification }) => notification.blockHash);
  const listeners = deliveries.map(({ listenerId }) => listenerId);
  const notifications = deliveries.map(({ notification }) =>
    JSON.stringify(notification),
  );
  await sql`
    insert into webhook_notifications
      (follower, chain_id, block_hash, listener_id, notification)
    select ${indexerFollower}, ${chainId}, hash, listener, notification::json
    from unnest(
      ${hashes}::text[], ${listeners}::bigint[], ${notifications}::text[]
    ) with ordinality as told (hash, listener, notification, position)
    order by position`.execute(database);
}

/**
 * Deletes and returns the notifications of removed blocks, starting with the
 * last block.
 */
async function forget(
  database: Kysely<Tables>,
  chainId: number,
  hashes: readonly Hash[],
): Promise<readonly Delivery[]> {
  const rows = await database
    .deleteFrom("webhook_notifications")
    .using("webhook_listeners")
    .whereRef("listener_id", "=", "webhook_listeners.id")
    .where("follower", "=", indexerFollower)
    .where("webhook_notifications.chain_id", "=", chainId)
    .where(sql<boolean>`block_hash = any(${hashes}::text[])`)
    .returning([
      "webhook_notifications.id",
      "listener_id as listenerId",
      "project_id as projectId",
      "notification",
    ])
    .execute();
  return rows
    .sort((one, other) => other.id - one.id)
    .map(({ id: _, ...delivery }) => delivery);
}
