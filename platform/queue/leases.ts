import { randomUUID } from "node:crypto";

import { type Kysely, type RawBuilder, sql } from "kysely";

import { ageMs } from "../database/age.js";
import type { Tables } from "../database/schema.js";
import type { Attempt } from "../database/tables/queue.js";

/** A job that a worker has leased. */
export interface Job {
  readonly key: string;
  readonly payload: unknown;
  /** The number of attempts, including this one. */
  readonly attempts: number;
  /** The time when it was enqueued or replayed, on this process's clock. */
  readonly createdAt: Date;
}

/** A job and the lease that entitles the worker to run it. */
export interface LeasedJob extends Job, Lease {
  readonly lane: string;
}

/** Limits on the number of jobs that a worker takes. */
export interface JobLimits {
  /** The total number. */
  readonly count: number;
  /** The maximum per lane, including the worker's running jobs. */
  readonly perLane: number;
  /** The lanes of the running jobs. */
  readonly running: readonly string[];
}

/** Entitles a worker to run a job. */
export interface Lease {
  readonly id: number;
  /** A new ID each time the job is taken. */
  readonly lease: string;
}

const inMs = (milliseconds: number) =>
  sql<Date>`now() + ${milliseconds} * interval '1 millisecond'`;

/**
 * Leases jobs that are due or whose lease has expired, oldest first, up to the
 * limits. No other worker gets them before the lease expires.
 */
export async function takeJobs(
  database: Kysely<Tables>,
  queue: string,
  { count, perLane, running }: JobLimits,
  leaseMs: number,
): Promise<readonly LeasedJob[]> {
  const lease = randomUUID();
  // Finding a lane takes one index lookup, regardless of how many jobs it has.
  const { rows } = await sql<Omit<LeasedJob, "createdAt"> & { ageMs: number }>`
    with recursive lanes (lane) as (
      select min(lane) from jobs where queue = ${queue} and dead_at is null
      union all
      select (
        select min(jobs.lane) from jobs
        where queue = ${queue} and dead_at is null and jobs.lane > lanes.lane
      )
      from lanes where lanes.lane is not null
    ),
    due as materialized (
      select oldest.id from lanes cross join lateral (
        select id, run_at from jobs as due
        where queue = ${queue} and dead_at is null and run_at <= now()
          and due.lane = lanes.lane
          and (sequence is null or not exists (
            select from jobs as earlier
            where earlier.queue = ${queue}
              and earlier.sequence = due.sequence
              and earlier.id < due.id and earlier.dead_at is null
          ))
        order by run_at, id
        limit greatest(0, ${perLane} - cardinality(
          array_positions(${running}::text[], lanes.lane)
        ))
        for update skip locked
      ) as oldest
      order by oldest.run_at, oldest.id
      limit ${count}
    )
    update jobs
    set run_at = ${inMs(leaseMs)}, lease = ${lease}, attempts = attempts + 1
    where id in (select id from due)
    returning id, lease, key, lane, payload, attempts,
      ${ageMs("created_at")} as "ageMs"
  `.execute(database);
  const now = Date.now();
  return rows
    .sort((one, other) => one.id - other.id)
    .map(({ ageMs, ...job }) => ({ ...job, createdAt: new Date(now - ageMs) }));
}

const isOneOf = (leases: readonly Lease[]) => {
  const ids = leases.map(({ id }) => id);
  const uuids = leases.map(({ lease }) => lease);
  return sql<boolean>`(id, lease) in (
    select * from unnest(${ids}::bigint[], ${uuids}::uuid[])
  )`;
};

/** Extends leases. Returns the IDs of jobs that are still leased. */
export async function renewLeases(
  database: Kysely<Tables>,
  leases: readonly Lease[],
  leaseMs: number,
): Promise<ReadonlySet<number>> {
  const rows = await database
    .updateTable("jobs")
    .set({ run_at: inMs(leaseMs) })
    .where(isOneOf(leases))
    .returning("id")
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** A completed job and its last attempt. */
export interface FinishedJob extends Lease {
  readonly durationMs: number;
  /** The reason why its work was not done, or null if it was. */
  readonly reason: string | null;
}

/**
 * Deletes completed jobs except any that another worker has leased.
 *
 * Input: `isKept` determines whether they are copied to `done_jobs`.
 */
export async function finishJobs(
  database: Kysely<Tables>,
  jobs: readonly FinishedJob[],
  isKept: boolean,
): Promise<void> {
  const finished = database.deleteFrom("jobs").where(isOneOf(jobs));
  if (!isKept) {
    await finished.execute();
    return;
  }
  const ids = jobs.map(({ id }) => id);
  const durations = jobs.map(({ durationMs }) => durationMs);
  const reasons = jobs.map(({ reason }) => reason);
  await sql`
    with finished as (${finished.returningAll()})
    insert into done_jobs
      (id, queue, key, lane, payload, attempts, history, created_at)
    select id, queue, key, lane, payload, attempts,
      ${withAttempt(sql`duration`, sql`problem`)}, created_at
    from finished
    join unnest(${ids}::bigint[], ${durations}::int[], ${reasons}::text[])
      as took (id, duration, problem) using (id)
    on conflict (queue, key) do update
    set (id, payload, attempts, history, created_at, done_at) = (excluded.id,
      excluded.payload, excluded.attempts, excluded.history,
      excluded.created_at, excluded.done_at)`.execute(database);
}

/** The maximum number of attempts that are stored per job. */
const maxHistory = 100;

/** Returns SQL for a job's history with the attempt that has just ended. */
function withAttempt(
  durationMs: RawBuilder<unknown>,
  reason: RawBuilder<unknown>,
) {
  return sql<readonly Attempt[]>`
    case when jsonb_array_length(history) < ${maxHistory} then history
      else history - 0 end
    || jsonb_build_object(
      'at', to_char(
        (now() - ${durationMs}::int * interval '1 millisecond')
          at time zone 'UTC',
        'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'
      ),
      'durationMs', ${durationMs}::int,
      'reason', ${reason}::text
    )`;
}

/** The reason why an attempt failed, and its duration. */
export interface FailedAttempt {
  readonly reason: string;
  readonly durationMs: number;
}

/**
 * Releases a job, so that it can be leased again later.
 *
 * Input: the job's lease and its new lane. `isTry` determines whether the run
 * counts as an attempt.
 */
export async function postponeJob(
  database: Kysely<Tables>,
  { lane, ...lease }: Lease & { readonly lane: string },
  delayMs: number,
  { durationMs, reason }: FailedAttempt,
  isTry: boolean,
): Promise<void> {
  await database
    .updateTable("jobs")
    .set((row) => ({
      run_at: inMs(Math.max(delayMs, 0)),
      lease: null,
      lane,
      reason,
      attempts: row("attempts", "-", isTry ? 0 : 1),
      ...(isTry && {
        history: withAttempt(sql`${durationMs}`, sql`${reason}`),
      }),
    }))
    .where(isOneOf([lease]))
    .execute();
}

/** Marks a job as dead until it is replayed. */
export async function buryJob(
  database: Kysely<Tables>,
  lease: Lease,
  { durationMs, reason }: FailedAttempt,
): Promise<void> {
  await database
    .updateTable("jobs")
    .set({
      dead_at: sql<Date>`now()`,
      lease: null,
      reason,
      history: withAttempt(sql`${durationMs}`, sql`${reason}`),
    })
    .where(isOneOf([lease]))
    .execute();
}
