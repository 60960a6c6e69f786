import { type Migration, sql } from "kysely";

/**
 * Buckets of the rate limits. The table is unlogged: after a crash of the
 * database it is empty, which means that all buckets are full.
 */
export const rateLimits: Migration = {
  up: async (database) => {
    // Free space in each page allows updates that do not change the index.
    await sql`
      create unlogged table rate_limits (
        bucket text primary key,
        granted integer not null,
        asked_at timestamptz not null,
        full_at timestamptz not null
      ) with (fillfactor = 50)`.execute(database);
  },
};
