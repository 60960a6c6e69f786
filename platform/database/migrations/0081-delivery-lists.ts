import { type Migration, sql } from "kysely";

/**
 * Indexes for the deliveries of a project or a listener, newest first. They
 * contain `-id`. Otherwise, the planner would scan the primary key through all
 * newer deliveries of other projects.
 */
export const deliveryLists: Migration = {
  up: async (database) => {
    const owners = ["lane", "split_part(key, ':', 1)"].map((of) => sql.raw(of));
    for (const owner of owners) {
      for (const state of ["null", "not null"].map((of) => sql.raw(of))) {
        await sql`
          create index on jobs (queue, ${owner}, (-id))
          where dead_at is ${state}`.execute(database);
      }
      await sql`
        create index on done_jobs (queue, ${owner}, (-id))`.execute(database);
    }
    await sql`drop index done_jobs_queue_lane_id_idx`.execute(database);
    // Workers now look for due jobs by lane.
    await sql`drop index jobs_queue_run_at_id_idx`.execute(database);
  },
};
