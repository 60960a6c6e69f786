import { type Migration, sql } from "kysely";

/**
 * Indexes for counting a project's unfinished rows, for finding its finished
 * ones, and for listing the deliveries of all projects, newest first.
 */
export const budgets: Migration = {
  up: async (database) => {
    await sql`
      create index on metadata_refreshes (project_id)
      where status not in ('COMPLETED', 'FAILED')`.execute(database);
    await sql`
      create index on webhook_listeners (project_id, id)
      where deleted_at is not null or not active`.execute(database);
    await sql`
      create index on relays (project_id, id)
      where state = 'expired' and is_final and cost = 0`.execute(database);
    for (const state of ["null", "not null"].map((of) => sql.raw(of))) {
      await sql`
        create index on jobs (queue, (-id))
        where dead_at is ${state}`.execute(database);
    }
    await sql`create index on done_jobs (queue, (-id))`.execute(database);
    await sql`drop index jobs_queue_dead_at_idx`.execute(database);
  },
};
