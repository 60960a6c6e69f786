import { type Migration, sql } from "kysely";

/** Relays that a forwarder executes for an account instead of its wallet. */
export const forwardedCalls: Migration = {
  up: async (database) => {
    await sql`alter table relays add column forwarder text`.execute(database);
  },
};
