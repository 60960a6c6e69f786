import { sql } from "kysely";

import {
  NotFoundError,
  PermissionDeniedError,
} from "../../../generated/errors.js";
import type { Audience } from "../../../generated/index.js";
import { readInPieces } from "../../database/pieces.js";
import type { Database, Row, Transaction } from "../../database/schema.js";

/** Identifies an audience and the project that it must belong to. */
export interface AudiencePlace {
  readonly projectId: number;
  readonly audienceId: number;
}

/** The database's current time, which is constant within a transaction. */
const now = sql<Date>`now()`;

/** Lists a project's audiences, oldest first, excluding deleted ones. */
export async function listAudiences(
  database: Database,
  projectId: number,
): Promise<Audience[]> {
  const rows = await readInPieces<Row<"audiences">>((last, limit) =>
    database
      .selectFrom("audiences")
      .selectAll()
      .where("project_id", "=", projectId)
      .where("deleted_at", "is", null)
      .where("id", ">", last?.id ?? 0)
      .orderBy("id")
      .limit(limit)
      .execute(),
  );
  return rows.map(toAudience);
}

/**
 * Creates an audience with contacts, ignoring duplicates, and returns its ID.
 */
export async function createAudience(
  database: Database,
  projectId: number,
  name: string,
  contactIds: readonly bigint[],
): Promise<number> {
  const { id } = await database
    .insertInto("audiences")
    .values({
      project_id: projectId,
      name,
      contact_count: new Set(contactIds).size,
      updated_at: now,
      deleted_at: null,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await insertContacts(database, id, contactIds);
  return id;
}

/**
 * Marks an audience as deleted. If it is already deleted, its deletion time
 * stays the same.
 *
 * Errors: `NotFound`; `PermissionDenied` if it belongs to a different project.
 */
export async function deleteAudience(
  database: Database,
  place: AudiencePlace,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await lockAudience(transaction, place);
    await transaction
      .updateTable("audiences")
      .set({ deleted_at: now, updated_at: now })
      .where("id", "=", place.audienceId)
      .where("deleted_at", "is", null)
      .execute();
  });
}

/** Renames an audience. Errors: those of `requireAudience`. */
export function renameAudience(
  database: Database,
  place: AudiencePlace,
  name: string,
): Promise<Audience> {
  return database.transaction().execute(async (transaction) => {
    await requireAudience(transaction, place);
    const row = await transaction
      .updateTable("audiences")
      .set({ name, updated_at: now })
      .where("id", "=", place.audienceId)
      .returningAll()
      .executeTakeFirstOrThrow();
    return toAudience(row);
  });
}

/**
 * Locks an audience that is not deleted until the transaction ends.
 *
 * Errors: `NotFound`; `PermissionDenied` if it belongs to a different project.
 */
async function requireAudience(
  transaction: Transaction,
  place: AudiencePlace,
): Promise<void> {
  const { deleted_at: deletedAt } = await lockAudience(transaction, place);
  if (deletedAt !== null) throw noAudience(place);
}

async function lockAudience(
  transaction: Transaction,
  place: AudiencePlace,
): Promise<Row<"audiences">> {
  const { projectId, audienceId } = place;
  const audience = await transaction
    .selectFrom("audiences")
    .selectAll()
    .where("id", "=", audienceId)
    .forUpdate()
    .executeTakeFirst();
  if (audience === undefined) throw noAudience(place);
  if (audience.project_id === projectId) return audience;
  const cause = `audienceId: ${audienceId} belongs to another project`;
  throw new PermissionDeniedError({ cause });
}

function noAudience({ audienceId }: AudiencePlace): NotFoundError {
  return new NotFoundError({ cause: `audienceId: no audience ${audienceId}` });
}

/** Converts a row to the audience that callers receive. */
export function toAudience(row: Row<"audiences">): Audience {
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

/** The number of contacts that one statement adds. */
const insertedAtOnce = 5000;

/**
 * Adds the contacts that an audience does not contain yet. Returns how many
 * were added.
 */
async function insertContacts(
  database: Database,
  audienceId: number,
  contactIds: readonly (bigint | number)[],
): Promise<number> {
  let added = 0;
  for (let start = 0; start < contactIds.length; start += insertedAtOnce) {
    const ids = contactIds.slice(start, start + insertedAtOnce).map(String);
    const { numAffectedRows = 0n } = await sql`
      insert into audience_contacts (audience_id, contact_id)
      select ${audienceId}, unnest(${ids}::numeric[])
      on conflict do nothing`.execute(database);
    added += Number(numAffectedRows);
  }
  return added;
}

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
