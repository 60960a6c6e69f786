import { sql } from "kysely";

import type { Database } from "../database/schema.js";
import { unitsOf } from "../database/storage-units.js";
import { type LanePart, nameOfPart } from "./lanes.js";

/** A job to add to a queue. */
export interface NewJob {
  /** Identifies the job in its queue. */
  readonly key: string;
  /** The input of the worker, as JSON. */
  readonly payload: unknown;
  /**
   * Jobs with the same sequence run one at a time, in the order in which they
   * were enqueued.
   */
  readonly sequence?: string;
  /**
   * The owner of the job, without slashes. Many jobs in one lane do not delay
   * other lanes.
   */
  readonly lane?: string;
  /** The part of the lane, which can be paused on its own. */
  readonly part?: string;
}

/** The channel that notifies the workers of all processes about new jobs. */
export const jobsChannel = "jobs";

/** PostgreSQL limits notifications to 8000 bytes. */
const maxMessage = 4000;

/** Notifies workers about lanes of a queue that have due jobs. */
async function notifyWorkers(
  database: Database,
  queue: string,
  lanes: readonly LanePart[],
): Promise<void> {
  const full = JSON.stringify([queue, ...new Set(lanes.map(nameOfPart))]);
  await notify(database, full.length > maxMessage ? queue : full);
}

async function notify(database: Database, message: string): Promise<void> {
  await sql`select pg_notify(${jobsChannel}, ${message})`.execute(database);
}

/**
 * Reads the names of lane parts from a notification. Returns null if any lane
 * of the queue may have due jobs.
 */
export function readNotification(
  message: string | null,
  queue: string,
): readonly string[] | null {
  // Older versions only send the name of the queue.
  if (message === null || message === queue) return null;
  if (!message.startsWith("[")) return [];
  const parts: unknown = JSON.parse(message);
  const [name, ...lanes] = Array.isArray(parts) ? parts.map(String) : [];
  return name === queue ? lanes : [];
}

/**
 * Enqueues jobs that are due immediately, as part of the caller's transaction
 * if it has one. In that case, the jobs only exist once the transaction is
 * committed. If a job's key is already in the queue, the new job is ignored,
 * even if the existing one is dead. Keys of completed jobs can be reused.
 *
 * Returns the number of new jobs.
 */
export async function enqueue(
  database: Database,
  queue: string,
  jobs: readonly NewJob[],
): Promise<number> {
  if (jobs.length === 0) return 0;
  const keys = jobs.map(({ key }) => key);
  const sequences = jobs.map(({ sequence }) => sequence ?? null);
  const places = jobs.map(({ lane = "", part = "" }) => ({ lane, part }));
  const lanes = places.map(({ lane }) => lane);
  const parts = places.map(({ part }) => part);
  const payloads = jobs.map(({ payload }) => JSON.stringify(payload));
  const units = payloads.map((text) => unitsOf(Buffer.byteLength(text)));
  const { numAffectedRows } = await sql`
    insert into jobs (queue, key, sequence, lane, part, payload, units)
    select ${queue}, key, sequence, lane, part, payload::json, units
    from unnest(
      ${keys}::text[], ${sequences}::text[], ${lanes}::text[],
      ${parts}::text[], ${payloads}::text[], ${units}::int[]
    ) with ordinality
      as new (key, sequence, lane, part, payload, units, position)

    order by position
    on conflict (queue, key) do nothing`.execute(database);
  await notifyWorkers(database, queue, places);
  return Number(numAffectedRows ?? 0n);
}

const dueNow = { run_at: sql<Date>`now()`, due_at: sql<Date>`now()` };

/**
 * Makes a waiting job due immediately. A running job is unaffected.
 *
 * Input: the job's new part of its lane. By default, it stays in its part.
 */
export async function wakeJob(
  database: Database,
  queue: string,
  key: string,
  part?: string,
): Promise<void> {
  const lanes = await database
    .updateTable("jobs")
    .set({ ...dueNow, ...(part !== undefined && { part }) })
    .where("queue", "=", queue)
    .where("key", "=", key)
    .where("lease", "is", null)
    .where("dead_at", "is", null)
    .returning(["lane", "part"])
    .execute();
  await notifyWorkers(database, queue, lanes);
}

/**
 * Makes the waiting jobs of a lane's part due immediately. Running jobs are
 * unaffected, and those that are due keep their places in the order.
 */
export async function wakePart(
  database: Database,
  queue: string,
  { lane, part }: LanePart,
): Promise<void> {
  const { numUpdatedRows } = await database
    .updateTable("jobs")
    .set(dueNow)
    .where("id", "in", (query) =>
      query
        .selectFrom("jobs")
        .select("id")
        .where("queue", "=", queue)
        .where("lane", "=", lane)
        .where("part", "=", part)
        .where("due_at", ">", sql<Date>`now()`)
        .where("lease", "is", null)
        .where("dead_at", "is", null)
        // A transaction that locks one of these jobs could wait for this one.
        .forUpdate()
        .skipLocked(),
    )
    .executeTakeFirstOrThrow();
  if (numUpdatedRows > 0n)
    await notifyWorkers(database, queue, [{ lane, part }]);
}

/** Selects dead jobs of a queue. By default, it selects all of them. */
export interface DeadJobChoice {
  readonly key?: string;
  readonly lane?: string;
}

/**
 * Replays dead jobs as if they were new. Returns their number. Workers look for
 * them in all lanes, because they can be of many.
 *
 * Input: the new part of their lanes. By default, they stay in their parts.
 */
export async function replayDeadJobs(
  database: Database,
  queue: string,
  { key, lane }: DeadJobChoice,
  part?: string,
): Promise<number> {
  const { numUpdatedRows } = await database
    .updateTable("jobs")
    .set({
      dead_at: null,
      ...dueNow,
      created_at: sql<Date>`now()`,
      attempts: 0,
      ...(part !== undefined && { part }),
    })
    .where("queue", "=", queue)
    .where("dead_at", "is not", null)
    .$if(key !== undefined, (query) => query.where("key", "=", key ?? ""))
    .$if(lane !== undefined, (query) => query.where("lane", "=", lane ?? ""))
    .executeTakeFirstOrThrow();
  await notify(database, queue);
  return Number(numUpdatedRows);
}
