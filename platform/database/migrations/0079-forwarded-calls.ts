import { type Migration, sql } from "kysely";

/** The forwarder that executes a relay's call on behalf of an account. */
export const forwardedCalls: Migration = {
  up: async (database) => {
    await sql`alter table relays add column forwarder text`.execute(database);
  },
};
