import { type Kysely, sql } from "kysely";

import type { Tables } from "../../database/schema.js";

/**
 * Adds the contacts that an audience does not contain yet. Returns how many
 * were added.
 */
export async function insertContacts(
  database: Kysely<Tables>,
  audienceId: number,
  contactIds: readonly (bigint | number)[],
): Promise<number> {
  const ids = contactIds.map(String);
  const { numAffectedRows = 0n } = await sql`
    insert into audience_contacts (audience_id, contact_id)
    select ${audienceId}, unnest(${ids}::numeric[])
    on conflict do nothing`.execute(database);
  return Number(numAffectedRows);
}
