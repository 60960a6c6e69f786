import { type Migration, sql } from "kysely";

/** Indexes for finding old rows. */
export const retention: Migration = {
  up: async (database) => {
    await sql`
      create index on webhook_listeners (deleted_at)
      where deleted_at is not null`.execute(database);
    await sql`
      create index on jobs (dead_at) where dead_at is not null`.execute(
      database,
    );
    await sql`create index on metadata_refreshes (updated_at)`.execute(
      database,
    );
    await sql`create index on token_metadata (saved_at)`.execute(database);
    await sql`create index on contract_info (saved_at)`.execute(database);
  },
};
