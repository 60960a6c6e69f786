import { type Kysely, sql } from "kysely";

import type { Tables } from "../../database/schema.js";
import { jobsChannel } from "../../queue/enqueue.js";
import { deliveryQueue } from "../../services/indexer/index-blocks.js";

/**
 * Makes pending deliveries older than the retry limit, so that their next
 * attempt is the last.
 */
export async function expireDeliveries(
  database: Kysely<Tables>,
): Promise<void> {
  await database
    .updateTable("jobs")
    .set({
      created_at: sql<Date>`now() - interval '2 days'`,
      run_at: sql<Date>`now()`,
    })
    .where("queue", "=", deliveryQueue)
    .where("dead_at", "is", null)
    .where("lease", "is", null)
    .execute();
  await sql`select pg_notify(${jobsChannel}, ${deliveryQueue})`.execute(
    database,
  );
}
