import { sql } from "kysely";
import type { Hash } from "viem";

import {
  type ContractType,
  KnownContractType,
} from "../../../generated/index.js";
import type { WebhookNotification } from "../../../generated/indexer/types.js";
import type { Database } from "../../database/schema.js";
import type {
  BlockConsumer,
  BlockLog,
  ReadBlock,
} from "../../follower/block.js";
import { groupBy } from "../../follower/group-by.js";
import { createGiveWay } from "../../process/concurrency/give-way.js";
import { enqueue, type NewJob } from "../../queue/enqueue.js";
import { createBacklog } from "./backlog.js";
import type { FindStandard } from "./contract-standard.js";
import type { ListenerIndex, ListenerMatch } from "./listener-index.js";
import {
  createNotification,
  indexTransactions,
  type LogPlace,
  toRemoval,
} from "./notification.js";
import { findTokenEvent } from "./token-events.js";

/** The name of the indexer's follower. */
export const indexerFollower = "indexer";

/** The queue of pending deliveries. */
export const deliveryQueue = "webhooks";

/**
 * The part of a project's lane for deliveries that are sent even if their
 * listener is paused. The other parts are the project's listeners.
 */
export const urgentPart = "now";

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

/** The number of deliveries that are stored by one statement. */
const storedAtOnce = 1000;

/** Creates a consumer that enqueues the notifications of each block. */
export function createBlockIndexer(options: IndexOptions): BlockConsumer {
  const { chainId } = options;
  const admit = createBacklog({ ...options, queue: deliveryQueue });
  let matched: ReadonlyMap<Hash, readonly LogMatch[]> = new Map();
  return {
    prepare: async (database, blocks) => {
      matched = await findMatches(options, database, blocks);
    },
    onBlocks: async (transaction, blocks) => {
      const giveWay = createGiveWay();
      const found: Delivery[] = [];
      for (const block of blocks) {
        const firstIndexes = indexTransactions(block);
        for (const match of matched.get(block.hash) ?? []) {
          await giveWay();
          found.push(toDelivery(chainId, { block, firstIndexes }, match));
        }
      }
      const deliveries = await admit(transaction, found);
      for (let start = 0; start < deliveries.length; start += storedAtOnce) {
        const some = deliveries.slice(start, start + storedAtOnce);
        await remember(transaction, chainId, some);
        await enqueue(transaction, deliveryQueue, some.map(toJob));
      }
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

/** A log and a listener that it matches. */
interface LogMatch extends ListenerMatch {
  readonly log: BlockLog;
  readonly contractType: ContractType;
}

/** Matches the logs of blocks, by block hash. Lets other work run between. */
async function findMatches(
  { findStandard, index }: IndexOptions,
  database: Database,
  blocks: readonly ReadBlock[],
): Promise<ReadonlyMap<Hash, readonly LogMatch[]>> {
  const found = new Map<Hash, readonly LogMatch[]>();
  if ((await index.refresh(database)) === 0) return found;
  const giveWay = createGiveWay();
  for (const { hash, logs, processed } of blocks) {
    const matches: Omit<LogMatch, "contractType">[] = [];
    for (const log of logs) {
      if (processed?.has(log.logIndex)) continue;
      await giveWay();
      for (const match of index.find(log)) matches.push({ ...match, log });
    }
    const contracts = [...new Set(matches.map(({ log }) => log.address))];
    const types = new Map(
      await Promise.all(
        contracts.map(
          async (each) => [each, await findStandard(each)] as const,
        ),
      ),
    );
    const typed = matches.map((match) => ({
      ...match,
      contractType: typeOf(match, types.get(match.log.address)),
    }));
    found.set(hash, typed);
  }
  return found;
}

/** Returns the standard that an event shows, or else the contract's. */
function typeOf(
  { decoded, log }: Pick<LogMatch, "decoded" | "log">,
  standard: ContractType = KnownContractType.UNKNOWN,
): ContractType {
  const facts = decoded === null ? null : findTokenEvent(log.topics);
  return facts?.contractType ?? standard;
}

function toDelivery(
  chainId: number,
  place: Omit<LogPlace, "chainId" | "log">,
  { contractType, decoded, listenerId, log, projectId }: LogMatch,
): Delivery {
  const logPlace = { ...place, chainId, log };
  const notification = createNotification(logPlace, contractType, decoded);
  return { listenerId, projectId, notification };
}

/** Returns the key of a delivery's job. */
const keyOf = ({ listenerId, notification }: Delivery): string =>
  `${listenerId}:${notification.uid}`;

/** Creates the job of a delivery. */
export function toJob(delivery: Delivery): NewJob {
  const { listenerId, notification, projectId } = delivery;
  const { blockHash, txnHash, txnLogIndex } = notification;
  return {
    key: keyOf(delivery),
    payload: delivery,
    lane: String(projectId),
    part: String(listenerId),
    // A listener receives all notifications about a log in order.
    sequence: `${listenerId}:${blockHash}:${txnHash}:${txnLogIndex}`,
  };
}

/**
 * Stores the keys of deliveries by block, so that they can be retracted if a
 * reorganization removes the block.
 */
async function remember(
  database: Database,
  chainId: number,
  deliveries: readonly Delivery[],
): Promise<void> {
  const byBlock = groupBy(deliveries, (each) => each.notification.blockHash);
  const rows = [...byBlock].map(([hash, list]) => ({
    follower: indexerFollower,
    chain_id: chainId,
    block_hash: hash,
    keys: JSON.stringify(list.map(keyOf)),
  }));
  if (rows.length === 0) return;
  await database.insertInto("block_deliveries").values(rows).execute();
}

/**
 * Forgets which deliveries are about removed blocks, and returns them, starting
 * with the last one.
 */
async function forget(
  database: Database,
  chainId: number,
  hashes: readonly Hash[],
): Promise<readonly Delivery[]> {
  // Jobs move to `done_jobs`, and back if they are replayed, so one statement
  // looks in both.
  const { rows } = await sql<{ readonly payload: Delivery }>`
    with removed as (
      delete from block_deliveries
      where follower = ${indexerFollower} and chain_id = ${chainId}
        and block_hash = any(${hashes}::text[])
      returning id, keys
    )
    select payload from removed
    cross join json_array_elements_text(keys)
      with ordinality as told (key, position)
    cross join lateral (
      select payload from jobs
      where queue = ${deliveryQueue} and jobs.key = told.key
      union all
      select payload from done_jobs
      where queue = ${deliveryQueue} and done_jobs.key = told.key
      limit 1
    ) as job
    order by id desc, position desc`.execute(database);
  return rows.map(({ payload }) => payload);
}
