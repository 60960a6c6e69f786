import { type Kysely, sql } from "kysely";

import type { Tables } from "../../database/schema.js";
import type { Attempt } from "../../database/tables/queue.js";
import { replayDeadJobs } from "../../queue/dead-jobs.js";
import { enqueue, wakeJob } from "../../queue/enqueue.js";
import { type Delivery, deliveryQueue, toJob } from "./index-blocks.js";

/** A delivery with its current state. */
export interface LoggedDelivery {
  readonly id: number;
  readonly key: string;
  readonly projectId: number;
  readonly listenerId: number;
  readonly state: "pending" | "delivered" | "dead";
  readonly attempts: number;
  readonly createdAt: Date;
  /** The time of the next attempt; null if the delivery has ended. */
  readonly nextAttemptAt: Date | null;
  readonly endedAt: Date | null;
  /** Why the last attempt failed; null if it succeeded. */
  readonly reason: string | null;
}

/** A delivery with its content. */
export interface WholeDelivery extends LoggedDelivery {
  readonly payload: Delivery;
  /** All stored attempts, oldest first. */
  readonly history: readonly Attempt[];
}

/** Selects deliveries; all by default. */
export interface DeliveryChoice {
  readonly projectId?: number;
  readonly listenerId?: number;
  readonly state?: LoggedDelivery["state"];
}

const columns = sql`
  id, key, lane::bigint as "projectId",
  split_part(key, ':', 1)::bigint as "listenerId", attempts,
  created_at as "createdAt"`;

const ofJobs = sql`
  select ${columns}, payload, history,
    case when dead_at is null then 'pending' else 'dead' end as state,
    case when dead_at is null then run_at end as "nextAttemptAt",
    dead_at as "endedAt", reason
  from jobs where queue = ${deliveryQueue}`;

const ofDoneJobs = sql`
  select ${columns}, payload, history, 'delivered' as state,
    null::timestamptz as "nextAttemptAt", done_at as "endedAt",
    null::text as reason
  from done_jobs where queue = ${deliveryQueue}`;

/** Lists deliveries with IDs below a number, newest first. */
export async function listDeliveries(
  database: Kysely<Tables>,
  { listenerId, projectId, state }: DeliveryChoice,
  before: number,
  limit: number,
): Promise<readonly LoggedDelivery[]> {
  const lane = projectId === undefined ? null : String(projectId);
  const listener = listenerId === undefined ? null : String(listenerId);
  const chosen = sql`
    and id < ${before}
    and (${lane}::text is null or lane = ${lane})
    and (${listener}::text is null or split_part(key, ':', 1) = ${listener})`;
  const newest = sql`order by id desc limit ${limit}`;
  const dead = sql.raw(state === "dead" ? "not null" : "null");
  const jobs = sql`(${ofJobs} ${chosen} ${
    state === undefined ? sql`` : sql`and dead_at is ${dead}`
  } ${newest})`;
  const doneJobs = sql`(${ofDoneJobs} ${chosen} ${newest})`;
  const sources =
    state === undefined
      ? sql`${jobs} union all ${doneJobs}`
      : state === "delivered"
        ? doneJobs
        : jobs;
  const { rows } = await sql<LoggedDelivery>`
    select id, key, "projectId", "listenerId", state, attempts, "createdAt",
      "nextAttemptAt", "endedAt", reason
    from (${sources}) as deliveries ${newest}`.execute(database);
  return rows;
}

/** Finds a delivery; null if it is unknown or has been removed. */
export async function findDelivery(
  database: Kysely<Tables>,
  key: string,
): Promise<WholeDelivery | null> {
  const { rows } = await sql<WholeDelivery>`
    select * from (
      ${ofJobs} and key = ${key} union all ${ofDoneJobs} and key = ${key}
    ) as deliveries
    order by "endedAt" desc nulls first limit 1`.execute(database);
  return rows[0] ?? null;
}

/**
 * Replays a delivery that has ended. One that is pending is sent immediately.
 *
 * Output: false if its listener no longer receives webhooks.
 */
export async function replayDelivery(
  database: Kysely<Tables>,
  { key, listenerId, payload, state }: WholeDelivery,
): Promise<boolean> {
  const listener = await database
    .selectFrom("webhook_listeners")
    .select("id")
    .where("id", "=", listenerId)
    .where("active", "=", true)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  if (listener === undefined) return false;
  switch (state) {
    case "pending":
      await wakeJob(database, deliveryQueue, key);
      return true;
    case "dead":
      await replayDeadJobs(database, deliveryQueue, { key });
      return true;
    case "delivered":
      await database.transaction().execute(async (transaction) => {
        await transaction
          .deleteFrom("done_jobs")
          .where("queue", "=", deliveryQueue)
          .where("key", "=", key)
          .execute();
        await enqueue(transaction, deliveryQueue, [toJob(payload)]);
      });
      return true;
  }
}
