import { type Migration, sql } from "kysely";

/**
 * Indexes for the canceled deliveries of all projects, a project or a listener,
 * newest first. There are few, so a list would otherwise read all others.
 */
export const canceledDeliveries: Migration = {
  up: async (database) => {
    for (const owner of ["", "lane,", "split_part(key, ':', 1),"]) {
      await sql`
        create index on done_jobs (queue, ${sql.raw(owner)} (-id))
        where history -> -1 ->> 'reason' is not null`.execute(database);
    }
  },
};
