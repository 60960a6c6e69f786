import { type Selectable, sql } from "kysely";

import type {
  AccessKeyTable,
  ProjectTable,
  SecretTable,
} from "../database/tables/keys.js";
import type { KeyStore } from "./key-store.js";

type Database = KeyStore["database"];

/** A project; null: there is none with this number. */
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

/** Gives a project another name. Output: null: there is no such project. */
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

/** Revoked once, a key stays revoked since then. */
const revokedAt = sql<Date>`coalesce(revoked_at, now())`;

/** Revokes an access key. Output: null: the project has no such one. */
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

/** Revokes a secret. Output: null: the project has no such one. */
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
