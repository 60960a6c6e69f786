import { type Kysely, sql } from "kysely";

import type { Tables } from "../database/schema.js";

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
  /** The owner of the job. Many jobs in one lane do not delay other lanes. */
  readonly lane?: string;
}

/**
 * The channel that notifies the workers of all processes about new jobs, by
 * queue.
 */
export const jobsChannel = "jobs";

/**
 * Enqueues jobs that are due immediately, as part of the caller's transaction
 * if it has one. In that case, the jobs only exist once the transaction is
 * committed. If a job's key is already in the queue, the new job is ignored,
 * even if the existing one is dead. Keys of completed jobs can be reused.
 *
 * Returns the number of new jobs.
 */
export async function enqueue(
  database: Kysely<Tables>,
  queue: string,
  jobs: readonly NewJob[],
): Promise<number> {
  if (jobs.length === 0) return 0;
  const keys = jobs.map(({ key }) => key);
  const sequences = jobs.map(({ sequence }) => sequence ?? null);
  const lanes = jobs.map(({ lane = "" }) => lane);
  const payloads = jobs.map(({ payload }) => JSON.stringify(payload));
  const { numAffectedRows } = await sql`
    insert into jobs (queue, key, sequence, lane, payload)
    select ${queue}, key, sequence, lane, payload::json
    from unnest(
      ${keys}::text[], ${sequences}::text[], ${lanes}::text[],
      ${payloads}::text[]
    ) with ordinality as new (key, sequence, lane, payload, position)
    order by position
    on conflict (queue, key) do nothing`.execute(database);
  await sql`select pg_notify(${jobsChannel}, ${queue})`.execute(database);
  return Number(numAffectedRows ?? 0n);
}

/** Makes a waiting job due immediately. A running job is unaffected. */
export async function wakeJob(
  database: Kysely<Tables>,
  queue: string,
  key: string,
): Promise<void> {
  await database
    .updateTable("jobs")
    .set({ run_at: sql<Date>`now()` })
    .where("queue", "=", queue)
    .where("key", "=", key)
    .where("lease", "is", null)
    .execute();
}

/** Selects dead jobs of a queue. By default, it selects all of them. */
export interface DeadJobChoice {
  readonly key?: string;
  readonly lane?: string;
}

/** Replays dead jobs as if they were new. Returns their number. */
export async function replayDeadJobs(
  database: Kysely<Tables>,
  queue: string,
  { key, lane }: DeadJobChoice,
): Promise<number> {
  const { numUpdatedRows } = await database
    .updateTable("jobs")
    .set({
      dead_at: null,
      run_at: sql<Date>`now()`,
      created_at: sql<Date>`now()`,
      attempts: 0,
    })
    .where("queue", "=", queue)
    .where("dead_at", "is not", null)
    .$if(key !== undefined, (query) => query.where("key", "=", key ?? ""))
    .$if(lane !== undefined, (query) => query.where("lane", "=", lane ?? ""))
    .executeTakeFirstOrThrow();
  await sql`select pg_notify(${jobsChannel}, ${queue})`.execute(database);
  return Number(numUpdatedRows);
}
