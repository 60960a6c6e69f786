import { type Migration, sql } from "kysely";

/** Retention asks which notifications a deleted listener has, for each of them. */
export const notificationsByListener: Migration = {
  up: async (database) => {
    await sql`
      create index on webhook_notifications (listener_id)`.execute(database);
  },
};
