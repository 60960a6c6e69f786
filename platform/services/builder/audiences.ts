import { type Kysely, type Selectable, sql, type Transaction } from "kysely";

import type { Audience } from "../../../generated/index.js";
import { PermissionDeniedError } from "../../../generated/errors.js";
import type { Tables } from "../../database/schema.js";
import type { AudienceTable } from "../../database/tables/builder.js";

/** An audience, and the project that somebody says it belongs to. */
export interface AudiencePlace {
  readonly projectId: number;
  readonly audienceId: number;
}

/** The database's time, the same in all of a transaction. */
const now = sql<Date>`now()`;

/** All audiences of a project that are not deleted, the oldest first. */
export async function listAudiences(
  database: Kysely<Tables>,
  projectId: number,
): Promise<Audience[]> {
  const rows = await database
    .selectFrom("audiences")
    .selectAll()
    .where("project_id", "=", projectId)
    .where("deleted_at", "is", null)
    .orderBy("id")
    .execute();
  return rows.map(toAudience);
}

/** Makes an audience with contacts. Output: its number. */
export async function createAudience(
  database: Kysely<Tables>,
  projectId: number,
  name: string,
  contactIds: readonly bigint[],
): Promise<number> {
  const { id } = await database
    .insertInto("audiences")
    .values({
      project_id: projectId,
      name,
      contact_count: contactIds.length,
      updated_at: now,
      deleted_at: null,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await database
    .insertInto("audience_contacts")
    .values(
      contactIds.map((contactId) => ({
        audience_id: id,
        contact_id: contactId.toString(),
      })),
    )
    .execute();
  return id;
}

/**
 * Marks an audience as deleted; the moment of an earlier time stays.
 *
 * Output: whether there is such an audience.
 * Errors: `PermissionDenied` when it is another project's.
 */
export function deleteAudience(
  database: Kysely<Tables>,
  place: AudiencePlace,
): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    const audience = await lockAudience(transaction, place);
    if (audience === undefined) return false;
    if (audience.deleted_at !== null) return true;
    await transaction
      .updateTable("audiences")
      .set({ deleted_at: now, updated_at: now })
      .where("id", "=", place.audienceId)
      .execute();
    return true;
  });
}

/**
 * Takes contacts out of an audience, and lowers its count by those that were
 * in it. Removals at once wait for each other.
 *
 * Output: whether there is such an audience, and it is not deleted.
 * Errors: `PermissionDenied` when it is another project's.
 */
export function removeContacts(
  database: Kysely<Tables>,
  place: AudiencePlace,
  contactIds: readonly (bigint | number)[],
): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    const audience = await lockAudience(transaction, place);
    if (audience === undefined || audience.deleted_at !== null) return false;
    const ids = contactIds.map(String);
    const { numDeletedRows } = await transaction
      .deleteFrom("audience_contacts")
      .where("audience_id", "=", place.audienceId)
      .where(sql<boolean>`contact_id = any(${ids}::numeric[])`)
      .executeTakeFirstOrThrow();
    const removed = Number(numDeletedRows);
    if (removed === 0) return true;
    await transaction
      .updateTable("audiences")
      .set((row) => ({
        contact_count: row("contact_count", "-", removed),
        updated_at: now,
      }))
      .where("id", "=", place.audienceId)
      .execute();
    return true;
  });
}

/** Reads an audience, which nobody else changes until the transaction ends. */
async function lockAudience(
  transaction: Transaction<Tables>,
  { projectId, audienceId }: AudiencePlace,
): Promise<Selectable<AudienceTable> | undefined> {
  const audience = await transaction
    .selectFrom("audiences")
    .selectAll()
    .where("id", "=", audienceId)
    .forUpdate()
    .executeTakeFirst();
  if (audience !== undefined && audience.project_id !== projectId) {
    const cause = `audienceId: ${audienceId} belongs to another project`;
    throw new PermissionDeniedError({ cause });
  }
  return audience;
}

function toAudience(row: Selectable<AudienceTable>): Audience {
  return {
    id: row.id,
    projectId: row.project_id,
    name: row.name,
    contactCount: row.contact_count,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    ...(row.deleted_at !== null && { deletedAt: row.deleted_at.toISOString() }),
  };
}
