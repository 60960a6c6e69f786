import { type Migration, sql } from "kysely";

/** The forwarder of relays whose calls a forwarder executes for an account. */
export const forwardedCalls: Migration = {
  up: async (database) => {
    await sql`alter table relays add column forwarder text`.execute(database);
  },
};
