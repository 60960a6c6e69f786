import { sql } from "kysely";
import type { Hash } from "viem";

import {
  type ContractType,
  KnownContractType,
} from "../../../generated/index.js";
import type { WebhookNotification } from "../../../generated/indexer/types.js";
import { rowsAtOnce } from "../../database/pieces.js";
import type { Database } from "../../database/schema.js";
import { unitsOf } from "../../database/storage-units.js";
import type {
  BlockConsumer,
  BlockLog,
  ReadBlock,
} from "../../follower/block.js";
import { groupBy } from "../../follower/group-by.js";
import { giveWay } from "../../process/concurrency/give-way.js";
import { enqueue, type NewJob } from "../../queue/enqueue.js";
import { createBacklog } from "./backlog.js";
import type { FindStandards } from "./contract-standard.js";
import { wordsOf } from "./decode-event.js";
import type { Match } from "./listener.js";
import type { ListenerIndex } from "./listener-index.js";
import { type ListenerMatch, matchLogs } from "./match-logs.js";
import {
  createNotification,
  estimateSize,
  indexTransactions,
  type LogPlace,
  toRemoval,
} from "./notification.js";
import {
  forgetReasons,
  type ListenerNotice,
  noteUnsent,
  type Unsent,
} from "./set-aside.js";
import { findTokenEvent } from "./token-events.js";
import type { WorkLimits } from "./work-budget.js";

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
  readonly findStandards: FindStandards;
  /** The limits on the work of listeners in each block, in values. */
  readonly work: WorkLimits;
  /** The maximum size of the pending deliveries per project, in units. */
  readonly maxPerProject: number;
  /** Called with the notices to listeners that were not sent all events. */
  readonly onNotices: (notices: readonly ListenerNotice[]) => void;
  /** Called with the number of deliveries beyond the limit. */
  readonly onRejected: (count: number) => void;
}

/** The maximum size of the deliveries that are stored by one statement. */
const storedAtOnce = { count: rowsAtOnce, words: 20_000 };

/** The number of notices that are stored by one statement. */
const noticesAtOnce = 200;

/** Creates a consumer that enqueues the notifications of each block. */
export function createBlockIndexer(options: IndexOptions): BlockConsumer {
  const { chainId } = options;
  const backlog = createBacklog({ ...options, queue: deliveryQueue });
  let matched: ReadonlyMap<Hash, BlockMatches> = new Map();
  return {
    prepare: async (database, blocks) => {
      matched = await findMatches(options, database, blocks);
    },
    onBlocks: async (transaction, blocks) => {
      backlog.begin();
      const found = blocks.flatMap((block) => {
        const place = { block, firstIndexes: indexTransactions(block) };
        const matches = matched.get(block.hash)?.matches ?? [];
        return matches.map((match) => ({ ...match, place }));
      });
      const admitted = await backlog.admit(
        transaction,
        found,
        ({ decoded, log }) => unitsOf(estimateSize(log, decoded)),
      );
      let chunk: Delivery[] = [];
      let words = 0;
      const store = async (): Promise<void> => {
        await remember(transaction, chainId, chunk);
        await enqueue(transaction, deliveryQueue, chunk.map(toJob));
        chunk = [];
        words = 0;
      };
      for (const match of admitted) {
        await giveWay();
        chunk.push(toDelivery(chainId, match));
        words += wordsOf(match.log);
        const { count: maxCount, words: maxWords } = storedAtOnce;
        if (chunk.length >= maxCount || words >= maxWords) await store();
      }
      await store();
      const notices = await backlog.admit(
        transaction,
        await noteUnsent(transaction, blocks, matched),
        () => 1,
      );
      for (let start = 0; start < notices.length; start += noticesAtOnce) {
        await giveWay();
        const some = notices.slice(start, start + noticesAtOnce);
        await enqueue(transaction, deliveryQueue, some.map(toJob));
      }
      options.onNotices(notices);
    },
    onCommitted: backlog.commit,
    onBlocksRemoved: async (transaction, blocks) => {
      const hashes = blocks.map(({ hash }) => hash);
      for (;;) {
        const forgotten = await forgetLast(transaction, chainId, hashes);
        if (forgotten.length === 0) return;
        const removals = forgotten.flatMap(({ payload }) => payload ?? []);
        await enqueue(
          transaction,
          deliveryQueue,
          removals.map((delivery) =>
            toJob({
              ...delivery,
              notification: toRemoval(delivery.notification),
            }),
          ),
        );
      }
    },
  };
}

/** A log and a listener that it matches. */
interface LogMatch extends Match {
  readonly log: BlockLog;
  readonly contractType: ContractType;
  readonly listenerId: number;
  readonly projectId: number;
}

/** The result of matching a block. */
interface BlockMatches extends Unsent {
  readonly matches: readonly LogMatch[];
}

/** Matches the logs of blocks, by block hash. Lets other work run between. */
async function findMatches(
  { chainId, findStandards, index, work }: IndexOptions,
  database: Database,
  blocks: readonly ReadBlock[],
): Promise<ReadonlyMap<Hash, BlockMatches>> {
  const found = new Map<Hash, BlockMatches>();
  await forgetReasons(database, chainId, blocks);
  if (!(await index.refresh(database))) return found;
  for (const { hash, logs, processed } of blocks) {
    const unread = logs.filter(({ logIndex }) => !processed?.has(logIndex));
    const { matches, ...unsent } = await matchLogs(index, unread, work);
    const typed = await addTypes(findStandards, matches);
    found.set(hash, { ...unsent, matches: typed });
  }
  return found;
}

/** Adds the standard that an event shows, or else the contract's. */
async function addTypes(
  findStandards: FindStandards,
  matches: readonly ListenerMatch[],
): Promise<readonly LogMatch[]> {
  const shown = ({ decoded, log }: ListenerMatch): ContractType | null => {
    const facts = decoded === null ? null : findTokenEvent(log.topics);
    return facts?.contractType ?? null;
  };
  const others = matches.filter((match) => shown(match) === null);
  const standards = await findStandards(others.map(({ log }) => log.address));
  return matches.map((match) => {
    const { decoded, listener, log } = match;
    const standard = shown(match) ?? standards.get(log.address);
    return {
      ...{ decoded, log, listenerId: listener.id },
      projectId: listener.projectId,
      contractType: standard ?? KnownContractType.UNKNOWN,
    };
  });
}

function toDelivery(
  chainId: number,
  {
    contractType,
    decoded,
    listenerId,
    log,
    place,
    projectId,
  }: LogMatch & { readonly place: Omit<LogPlace, "chainId" | "log"> },
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
 * Forgets the last stored deliveries about removed blocks, and returns them,
 * starting with the last one. A delivery without a payload has been removed.
 * Returns an empty list once there are none.
 */
async function forgetLast(
  database: Database,
  chainId: number,
  hashes: readonly Hash[],
): Promise<readonly { readonly payload: Delivery | null }[]> {
  // Jobs move to `done_jobs`, and back if they are replayed, so one statement
  // looks in both.
  const { rows } = await sql<{ readonly payload: Delivery | null }>`
    with removed as (
      delete from block_deliveries where id = (
        select max(id) from block_deliveries
        where follower = ${indexerFollower} and chain_id = ${chainId}
          and block_hash = any(${hashes}::text[])
      )
      returning keys
    )
    select payload from removed
    left join lateral json_array_elements_text(keys)
      with ordinality as told (key, position) on true
    left join lateral (
      select payload from jobs
      where queue = ${deliveryQueue} and jobs.key = told.key
      union all
      select payload from done_jobs
      where queue = ${deliveryQueue} and done_jobs.key = told.key
      limit 1
    ) as job on true
    order by position desc`.execute(database);
  return rows;
}
