import { sql } from "kysely";

import type { Database, Transaction } from "../../database/schema.js";
import {
  type AudiencePlace,
  insertContacts,
  requireAudience,
} from "./audiences.js";

/**
 * Adds contacts to an audience and increases its count by the number of new
 * contacts.
 *
 * Returns the number of new contacts.
 * Errors: those of `requireAudience`.
 */
export function addContacts(
  database: Database,
  place: AudiencePlace,
  contactIds: readonly (bigint | number)[],
): Promise<number> {
  return database.transaction().execute(async (transaction) => {
    await requireAudience(transaction, place);
    const { audienceId } = place;
    const added = await insertContacts(transaction, audienceId, contactIds);
    await changeCount(transaction, place, added);
    return added;
  });
}

/**
 * Removes contacts from an audience and decreases its count by the number that
 * were removed. Concurrent removals run one at a time.
 *
 * Errors: those of `requireAudience`.
 */
export async function removeContacts(
  database: Database,
  place: AudiencePlace,
  contactIds: readonly (bigint | number)[],
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await requireAudience(transaction, place);
    const ids = contactIds.map(String);
    const { numDeletedRows } = await transaction
      .deleteFrom("audience_contacts")
      .where("audience_id", "=", place.audienceId)
      .where(sql<boolean>`contact_id = any(${ids}::numeric[])`)
      .executeTakeFirstOrThrow();
    await changeCount(transaction, place, -Number(numDeletedRows));
  });
}

/** Reads an audience's contacts in ascending order, or a single contact. */
export async function readContacts(
  database: Database,
  audienceId: number,
  {
    after,
    limit,
    only = null,
  }: {
    readonly after: bigint | null;
    readonly limit: number;
    readonly only?: bigint | null;
  },
): Promise<readonly bigint[]> {
  const rows = await database
    .selectFrom("audience_contacts")
    .select("contact_id")
    .where("audience_id", "=", audienceId)
    .$if(after !== null, (query) =>
      query.where("contact_id", ">", String(after)),
    )
    .$if(only !== null, (query) => query.where("contact_id", "=", String(only)))
    .orderBy("contact_id")
    .limit(limit)
    .execute();
  return rows.map((row) => BigInt(row.contact_id));
}

async function changeCount(
  transaction: Transaction,
  { audienceId }: AudiencePlace,
  difference: number,
): Promise<void> {
  if (difference === 0) return;
  await transaction
    .updateTable("audiences")
    .set((row) => ({
      contact_count: row("contact_count", "+", difference),
      updated_at: sql<Date>`now()`,
    }))
    .where("id", "=", audienceId)
    .execute();
}
