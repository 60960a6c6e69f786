import type { Kysely } from "kysely";

import type { Tables } from "../../database/schema.js";

/** Lists the dead jobs of a queue, newest first. */
export function listDeadJobs(database: Kysely<Tables>, queue: string) {
  return database
    .selectFrom("jobs")
    .select(["key", "payload", "attempts", "reason"])
    .where("queue", "=", queue)
    .where("dead_at", "is not", null)
    .orderBy("dead_at", "desc")
    .execute();
}
