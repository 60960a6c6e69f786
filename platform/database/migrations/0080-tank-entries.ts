import { type Migration, sql } from "kysely";

/** An index of a tank's payments by time, without relays that cost nothing. */
export const tankEntries: Migration = {
  up: async (database) => {
    await sql`
      create index on relays (gas_tank_id, (coalesce(settled_at, created_at)))
      where cost > 0`.execute(database);
    await sql`drop index relays_gas_tank_id_settled_at_idx`.execute(database);
  },
};
