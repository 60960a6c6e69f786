import { type Kysely, sql } from "kysely";

import type { Tables } from "../database/schema.js";
import { jobsChannel } from "./enqueue.js";

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
