import { type Selectable, sql } from "kysely";

import type {
  AccessKeyTable,
  ProjectTable,
  SecretTable,
} from "../database/tables/keys.js";
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

/** Keeps the time of the first revocation. */
const revokedAt = sql<Date>`coalesce(revoked_at, now())`;

/** Revokes an access key. Returns null if the project has no such key. */
export async function revokeAccessKey(
  database: Database,
  projectId: number,
  id: number,
): Promise<Selectable<AccessKeyTable> | null> {
  const row = await database
    .updateTable("access_keys")
    .set({ revoked_at: revokedAt })
    .where("id", "=", id)
    .where("project_id", "=", projectId)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}

/** Revokes a secret. Returns null if the project has no such secret. */
export async function revokeSecret(
  database: Database,
  projectId: number,
  id: string,
): Promise<Selectable<SecretTable> | null> {
  const row = await database
    .updateTable("secrets")
    .set({ revoked_at: revokedAt })
    .where("id", "=", id)
    .where("project_id", "=", projectId)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}
