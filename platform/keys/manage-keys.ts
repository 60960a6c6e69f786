import { type Selectable, sql } from "kysely";

import type { Tables } from "../database/schema.js";
import type { ProjectTable } from "../database/tables/keys.js";
import type { KeyStore } from "./key-store.js";

type Database = KeyStore["database"];

/** Returns a project, or null if there is none with this ID. */
export async function findProject(
  database: Database,
  id: number,
): Promise<Selectable<ProjectTable> | null> {
  const row = await database
    .selectFrom("projects")
    .selectAll()
    .where("id", "=", id)
    .executeTakeFirst();
  return row ?? null;
}

/** Renames a project. Returns null if it does not exist. */
export async function renameProject(
  database: Database,
  id: number,
  name: string,
): Promise<Selectable<ProjectTable> | null> {
  const row = await database
    .updateTable("projects")
    .set({ name })
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Revokes a key by ID. Keeps the time of the first revocation. Returns null if
 * the project has no such key.
 */
export async function revokeById<Table extends "access_keys" | "secrets">(
  database: Database,
  table: Table,
  projectId: number,
  id: number | string,
): Promise<Selectable<Tables[Table]> | null> {
  const { rows } = await sql<Selectable<Tables[Table]>>`
    update ${sql.table(table)} set revoked_at = coalesce(revoked_at, now())
    where id = ${id} and project_id = ${projectId} returning *`.execute(
    database,
  );
  return rows[0] ?? null;
}
