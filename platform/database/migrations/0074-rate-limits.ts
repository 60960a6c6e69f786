import { type Migration, sql } from "kysely";

/**
 * Buckets of the rate limits. The table is not logged: after a crash of the
 * database it is empty, and all buckets are full.
 */
export const rateLimits: Migration = {
  up: async (database) => {
    // Room in each page lets an update stay there, with no change of the index.
    await sql`
      create unlogged table rate_limits (
        bucket text primary key,
        granted integer not null,
        asked_at timestamptz not null,
        full_at timestamptz not null
      ) with (fillfactor = 50)`.execute(database);
  },
};
