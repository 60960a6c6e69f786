import { type Migration, sql } from "kysely";

/** Webhook secrets that can be rotated. */
export const webhookSecrets: Migration = {
  up: async (database) => {
    await sql`
      alter table projects
        add column webhook_secret_version integer not null default 1,
        add column webhook_secret_rotated_at timestamptz`.execute(database);
  },
};
