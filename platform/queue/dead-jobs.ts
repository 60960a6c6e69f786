import { type Kysely, sql } from "kysely";

import type { Tables } from "../database/schema.js";
import { jobsChannel } from "./enqueue.js";

/** A job that is no longer tried. */
export interface DeadJob {
  readonly key: string;
  readonly payload: unknown;
  readonly attempts: number;
  /** Why the last attempt failed. */
  readonly reason: string;
  readonly deadAt: Date;
}

/** Lists the dead jobs of a queue, newest first. */
export async function listDeadJobs(
  database: Kysely<Tables>,
  queue: string,
  limit: number,
): Promise<readonly DeadJob[]> {
  const rows = await database
    .selectFrom("jobs")
    .select(["key", "payload", "attempts", "reason", "dead_at"])
    .where("queue", "=", queue)
    .where("dead_at", "is not", null)
    .orderBy("dead_at", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  return rows.flatMap(({ dead_at: deadAt, reason, ...job }) =>
    deadAt === null ? [] : [{ ...job, reason: reason ?? "", deadAt }],
  );
}

/** Selects dead jobs of a queue; all by default. */
export interface DeadJobChoice {
  readonly key?: string;
  readonly lane?: string;
}

/** Replays dead jobs as if they were new. Output: their number. */
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
