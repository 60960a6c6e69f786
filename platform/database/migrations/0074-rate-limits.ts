import { type Migration, sql } from "kysely";

/**
 * Token buckets for the rate limits. The table is unlogged: after a database
 * crash it is empty, which means that all buckets are full.
 */
export const rateLimits: Migration = {
  up: async (database) => {
    // Leave free space in each page, so that updates do not have to change the
    // index.
    await sql`
      create unlogged table rate_limits (
        bucket text primary key,
        granted integer not null,
        asked_at timestamptz not null,
        full_at timestamptz not null
      ) with (fillfactor = 50)`.execute(database);
  },
};
