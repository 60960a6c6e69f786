import { randomUUID } from "node:crypto";

import { type RawBuilder, sql } from "kysely";

import { ageMs } from "../database/age.js";
import { readInPieces } from "../database/pieces.js";
import type { Database } from "../database/schema.js";
import type { Attempt } from "../database/tables/queue.js";
import { type LanePart, nameOfPart, partOfName } from "./lanes.js";

/** A job that a worker has leased. */
export interface Job extends LanePart {
  readonly key: string;
  readonly payload: unknown;
  /** The number of attempts, including this one. */
  readonly attempts: number;
  /** The time since it was enqueued or replayed when the worker leased it. */
  readonly ageMs: number;
}

/** A job and the lease that entitles the worker to run it. */
export interface LeasedJob extends Job, Lease {
  /** The size of its payload. */
  readonly units: number;
}

/** Entitles a worker to run a job. */
export interface Lease {
  readonly id: number;
  /** A new ID each time the job is taken. */
  readonly lease: string;
}

const inMs = (milliseconds: number) =>
  sql<Date>`now() + ${milliseconds} * interval '1 millisecond'`;

/** Matches jobs that are due and not leased. Only `due_at` has indexes. */
const isDue = sql<boolean>`due_at <= now() and run_at <= now()`;

/**
 * Leases jobs that are due or whose lease has expired, oldest first. No other
 * worker gets them before the lease expires. Only touches the jobs that it
 * leases, regardless of how many others there are.
 *
 * Input: the maximum number of jobs of each lane part, by name.
 */
export async function takeJobs(
  database: Database,
  queue: string,
  lanes: ReadonlyMap<string, number>,
  leaseMs: number,
): Promise<readonly LeasedJob[]> {
  const lease = randomUUID();
  const places = [...lanes.keys()].map(partOfName);
  const names = places.map(({ lane }) => lane);
  const parts = places.map(({ part }) => part);
  const { rows } = await sql<LeasedJob>`
    with due as materialized (
      select oldest.id
      from unnest(
        ${names}::text[], ${parts}::text[], ${[...lanes.values()]}::int[]
      ) as chosen (lane, part, count)
      cross join lateral (
        select id from jobs as due
        where queue = ${queue} and dead_at is null and ${isDue}
          and due.lane = chosen.lane and due.part = chosen.part
          and (sequence is null or not exists (
            select from jobs as earlier
            where earlier.queue = ${queue}
              and earlier.sequence = due.sequence
              and earlier.id < due.id and earlier.dead_at is null
          ))
        order by due_at, id
        limit chosen.count
        for update skip locked
      ) as oldest
    )
    update jobs
    set run_at = ${inMs(leaseMs)}, lease = ${lease}, attempts = attempts + 1
    where id in (select id from due)
    returning id, lease, key, lane, part, payload, units, attempts,
      ${ageMs("created_at")} as "ageMs"
  `.execute(database);
  return rows.sort((one, other) => one.id - other.id);
}

/** A lane part with jobs. */
interface FoundLane extends LanePart {
  readonly isDue: boolean;
}

/** Finds the names of the lane parts of a queue that have due jobs. */
export async function findLanes(
  database: Database,
  queue: string,
): Promise<readonly string[]> {
  // Finding a lane takes one index lookup, regardless of how many jobs it has. The
  // limit ends the recursion, which finds lanes in order.
  const rows = await readInPieces<FoundLane>(async (last, limit) => {
    const { rows: piece } = await sql<FoundLane>`
    with recursive lanes (lane, part) as (
      (
        select lane, part from jobs
        where queue = ${queue} and dead_at is null and ${isAfter(last)}
        order by lane, part limit 1
      )
      union all
      select next.lane, next.part from lanes cross join lateral (
        select lane, part from jobs
        where queue = ${queue} and dead_at is null
          and (jobs.lane, jobs.part) > (lanes.lane, lanes.part)
        order by lane, part limit 1
      ) as next
    )
    select lane, part, exists (
      select from jobs
      where queue = ${queue} and dead_at is null and ${isDue}
        and jobs.lane = found.lane and jobs.part = found.part
    ) as "isDue"
    from (select * from lanes limit ${limit}) as found
    order by lane, part`.execute(database);
    return piece;
  });
  return rows.filter((row) => row.isDue).map(nameOfPart);
}

/**
 * Finds the names of the lane parts of a queue with jobs that became due within
 * the last milliseconds.
 */
export async function findDueLanes(
  database: Database,
  queue: string,
  withinMs: number,
): Promise<readonly string[]> {
  const rows = await readInPieces<LanePart>((last, limit) =>
    database
      .selectFrom("jobs")
      .select(["lane", "part"])
      .distinct()
      .where("queue", "=", queue)
      .where("dead_at", "is", null)
      .where("due_at", ">", inMs(-withinMs))
      .where(isDue)
      .where(isAfter(last))
      .orderBy("lane")
      .orderBy("part")
      .limit(limit)
      .execute(),
  );
  return rows.map(nameOfPart);
}

/** Matches jobs of the lane parts after another one. */
function isAfter(last: LanePart | undefined) {
  return last === undefined
    ? sql<boolean>`true`
    : sql<boolean>`(lane, part) > (${last.lane}, ${last.part})`;
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
  database: Database,
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
export interface FinishedJob extends LeasedJob {
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
  database: Database,
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
      (id, queue, key, lane, payload, units, attempts, history, created_at)
    select id, queue, key, lane, payload, units, attempts,
      ${withAttempt(sql`duration`, sql`problem`)}, created_at
    from finished
    join unnest(${ids}::bigint[], ${durations}::int[], ${reasons}::text[])
      as took (id, duration, problem) using (id)
    on conflict (queue, key) do update
    set (id, payload, units, attempts, history, created_at, done_at) =
      (excluded.id, excluded.payload, excluded.units, excluded.attempts,
      excluded.history, excluded.created_at, excluded.done_at)`.execute(
    database,
  );
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

/** When and how a job is run again. */
export interface NextRun extends LanePart {
  readonly afterMs: number;
  /** Whether the last run counts as an attempt. */
  readonly isTry: boolean;
  /** The job's new payload. Undefined keeps the payload. */
  readonly payload?: unknown;
}

/** Releases a job, so that it can be leased again later. */
export async function postponeJob(
  database: Database,
  lease: Lease,
  { afterMs, isTry, lane, part, payload }: NextRun,
  { durationMs, reason }: FailedAttempt,
): Promise<void> {
  await database
    .updateTable("jobs")
    .set((row) => ({
      run_at: inMs(afterMs),
      due_at: inMs(afterMs),
      lease: null,
      lane,
      part,
      reason,
      attempts: row("attempts", "-", isTry ? 0 : 1),
      ...(isTry && {
        history: withAttempt(sql`${durationMs}`, sql`${reason}`),
      }),
      ...(payload !== undefined && { payload: JSON.stringify(payload) }),
    }))
    .where(isOneOf([lease]))
    .execute();
}

/** Marks a job as dead until it is replayed. */
export async function buryJob(
  database: Database,
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
