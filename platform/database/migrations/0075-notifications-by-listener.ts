import { type Migration, sql } from "kysely";

/** An index that lets retention find the notifications of deleted listeners. */
export const notificationsByListener: Migration = {
  up: async (database) => {
    await sql`
      create index on webhook_notifications (listener_id)`.execute(database);
  },
};
