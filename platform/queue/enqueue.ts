import { type Kysely, sql } from "kysely";

import type { Tables } from "../database/schema.js";

/** Something to do. */
export interface NewJob {
  /** Says which job of the queue it is. */
  readonly key: string;
  /** What the worker needs to know, as JSON. */
  readonly payload: unknown;
  /** Not before; now unless given. */
  readonly runAt?: Date;
  /** Jobs with the same one run one after the other, as they were enqueued. */
  readonly sequence?: string;
  /** Whose job it is: many of one hold up none of another. */
  readonly lane?: string;
}

/** On which workers of all processes are told of new jobs, by their queue. */
export const jobsChannel = "jobs";

/**
 * Enqueues jobs, as a part of the caller's transaction if it has one: then they
 * are there when it is committed, or never. A job whose key is in the queue
 * already changes nothing, also when that one is dead; one that is done is
 * forgotten.
 *
 * Output: how many are new.
 */
export async function enqueue(
  database: Kysely<Tables>,
  queue: string,
  jobs: readonly NewJob[],
): Promise<number> {
  if (jobs.length === 0) return 0;
  const now = new Date();
  const keys = jobs.map(({ key }) => key);
  const sequences = jobs.map(({ sequence }) => sequence ?? null);
  const lanes = jobs.map(({ lane = "" }) => lane);
  const payloads = jobs.map(({ payload }) => JSON.stringify(payload));
  const times = jobs.map(({ runAt = now }) => runAt);
  // Those that may run now do so by the clock of the database.
  const { numAffectedRows } = await sql`
    insert into jobs (queue, key, sequence, lane, payload, run_at)
    select ${queue}, key, sequence, lane, payload::json,
      case when run_at <= ${now} then now() else run_at end
    from unnest(
      ${keys}::text[], ${sequences}::text[], ${lanes}::text[],
      ${payloads}::text[], ${times}::timestamptz[]
    ) with ordinality as new (key, sequence, lane, payload, run_at, position)
    order by position
    on conflict (queue, key) do nothing`.execute(database);
  await sql`select pg_notify(${jobsChannel}, ${queue})`.execute(database);
  return Number(numAffectedRows ?? 0n);
}

/** Makes a waiting job due at once; one that is running is left alone. */
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
