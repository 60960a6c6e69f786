import { sql } from "kysely";

import type { Database } from "../../database/schema.js";
import type { Attempt } from "../../database/tables/queue.js";
import { enqueue, replayDeadJobs, wakeJob } from "../../queue/enqueue.js";
import {
  type Delivery,
  deliveryQueue,
  toJob,
  urgentPart,
} from "./index-blocks.js";

/** A delivery with its current state. */
export interface LoggedDelivery {
  readonly id: number;
  readonly key: string;
  readonly projectId: number;
  readonly listenerId: number;
  readonly state: "pending" | "delivered" | "canceled" | "dead";
  readonly attempts: number;
  readonly createdAt: Date;
  /** The time of the next attempt, or null if the delivery has ended. */
  readonly nextAttemptAt: Date | null;
  readonly endedAt: Date | null;
  /**
   * The reason why the last attempt failed or was postponed. Null if that
   * attempt succeeded, or if there was no attempt yet.
   */
  readonly reason: string | null;
}

/** A delivery with its content. */
export interface DeliveryDetails extends LoggedDelivery {
  readonly payload: Delivery;
  /** All stored attempts, oldest first. */
  readonly history: readonly Attempt[];
}

/** Selects deliveries. By default, it selects all of them. */
export interface DeliveryChoice {
  readonly projectId?: number;
  readonly listenerId?: number;
  readonly state?: LoggedDelivery["state"];
}

const columns = sql`
  id, key, lane::bigint as "projectId",
  split_part(key, ':', 1)::bigint as "listenerId", attempts,
  created_at as "createdAt", payload, history`;

/** The reason why the work of a completed job was not done, or null. */
const lastReason = sql`history -> -1 ->> 'reason'`;

const completed = sql`
  select ${columns},
    case when ${lastReason} is null then 'delivered' else 'canceled' end
      as state,
    null::timestamptz as "nextAttemptAt", done_at as "endedAt",
    ${lastReason} as reason
  from done_jobs where queue = ${deliveryQueue}`;

/** For each state, a query for its deliveries. */
const sources = {
  pending: sql`
    select ${columns}, 'pending' as state, run_at as "nextAttemptAt",
      null::timestamptz as "endedAt", reason
    from jobs where queue = ${deliveryQueue} and dead_at is null`,
  dead: sql`
    select ${columns}, 'dead' as state, null::timestamptz as "nextAttemptAt",
      dead_at as "endedAt", reason
    from jobs where queue = ${deliveryQueue} and dead_at is not null`,
  delivered: sql`${completed} and ${lastReason} is null`,
  canceled: sql`${completed} and ${lastReason} is not null`,
} satisfies Record<LoggedDelivery["state"], unknown>;

/** Queries for the deliveries in all states. */
const allSources = [sources.pending, sources.dead, completed];

/** Lists deliveries with IDs below a number, newest first. */
export async function listDeliveries(
  database: Database,
  { listenerId, projectId, state }: DeliveryChoice,
  before: number,
  limit: number,
): Promise<readonly LoggedDelivery[]> {
  const lane = sql`and lane = ${String(projectId)}`;
  const listener = sql`and split_part(key, ':', 1) = ${String(listenerId)}`;
  const chosen = sql`
    ${projectId === undefined ? sql`` : lane}
    ${listenerId === undefined ? sql`` : listener}
    and -id > ${-before} order by -id limit ${limit}`;
  const states = state === undefined ? allSources : [sources[state]];
  // Each query reads its own index in ID order.
  const parts = states.map((source) => sql`(${source} ${chosen})`);
  const { rows } = await sql<LoggedDelivery>`
    select id, key, "projectId", "listenerId", state, attempts, "createdAt",
      "nextAttemptAt", "endedAt", reason
    from (${sql.join(parts, sql` union all `)}) as deliveries
    order by id desc limit ${limit}`.execute(database);
  return rows;
}

/** Finds a delivery. Returns null if it is unknown or has been removed. */
export async function findDelivery(
  database: Database,
  key: string,
): Promise<DeliveryDetails | null> {
  const parts = allSources.map((source) => sql`${source} and key = ${key}`);
  const { rows } = await sql<DeliveryDetails>`
    select * from (
      ${sql.join(parts, sql` union all `)}
    ) as deliveries
    order by "endedAt" desc nulls first limit 1`.execute(database);
  return rows[0] ?? null;
}

/**
 * Replays a delivery that has ended. If the delivery is still pending, sends it
 * immediately.
 *
 * Returns false if the listener no longer receives webhooks.
 */
export async function replayDelivery(
  database: Database,
  { key, listenerId, payload, state }: DeliveryDetails,
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
      await wakeJob(database, deliveryQueue, key, urgentPart);
      return true;
    case "dead":
      await replayDeadJobs(database, deliveryQueue, { key }, urgentPart);
      return true;
    case "delivered":
    case "canceled":
      await database.transaction().execute(async (transaction) => {
        await transaction
          .deleteFrom("done_jobs")
          .where("queue", "=", deliveryQueue)
          .where("key", "=", key)
          .execute();
        await enqueue(transaction, deliveryQueue, [
          { ...toJob(payload), part: urgentPart },
        ]);
      });
      return true;
  }
}
