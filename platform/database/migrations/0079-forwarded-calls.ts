import { type Migration, sql } from "kysely";

/** Relays that a forwarder makes for an account, in place of the wallet itself. */
export const forwardedCalls: Migration = {
  up: async (database) => {
    await sql`alter table relays add column forwarder text`.execute(database);
  },
};
