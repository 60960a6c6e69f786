import { timingSafeEqual } from "node:crypto";

import { sql } from "kysely";

import type { Database } from "../database/schema.js";
import type { Settings } from "../settings/read-settings.js";
import type { KeyStore } from "./key-store.js";
import {
  deriveKeys,
  hasSecret,
  type MasterKeys,
  readOrMakeSecret,
} from "./master-secret.js";

/**
 * Derives the keys from the configured secret or from the one in the data
 * folder, which it creates if the database is new. It also works before the
 * database is migrated, because an instance with another secret must not
 * migrate it.
 *
 * Errors: Error if the database was set up with another secret, or if the
 * secret is too short.
 */
export async function findKeys(
  database: Database,
  settings: Pick<Settings, "dataFolder" | "oldSecret" | "secret">,
): Promise<MasterKeys> {
  // An instance stores its secret before the check value, so look for the value
  // first.
  const check = await readCheck(database);
  if (check !== null && settings.secret === null) {
    if (!hasSecret(settings.dataFolder)) throw otherSecret();
  }
  const secret = settings.secret ?? readOrMakeSecret(settings.dataFolder);
  const keys = deriveKeys(secret, settings.oldSecret);
  if (check !== null) requireEqual(check, keys);
  return keys;
}

/**
 * Checks that the migrated database was set up with these keys, or with those
 * that they replace. Records their check value.
 *
 * Errors: Error if it was set up with a different secret.
 */
export async function requireSameSecret({
  database,
  keys,
}: KeyStore): Promise<void> {
  await database
    .insertInto("platform")
    .values({ secret_check: keys.check, demo_project_id: null })
    .onConflict((conflict) => conflict.column("is_only").doNothing())
    .execute();
  await database
    .updateTable("platform")
    .set({ secret_check: keys.check })
    .where("secret_check", "=", keys.old?.check ?? keys.check)
    .execute();
  const check = await readCheck(database);
  if (check !== null) requireEqual(check, keys);
}

/** Reads the check value. Returns null if the database is new. */
async function readCheck(database: Database): Promise<Buffer | null> {
  const { rows } = await sql<{ readonly exists: boolean }>`
    select to_regclass('platform') is not null as exists`.execute(database);
  if (rows[0]?.exists !== true) return null;
  const row = await database
    .selectFrom("platform")
    .select("secret_check")
    .executeTakeFirst();
  return row?.secret_check ?? null;
}

function requireEqual(check: Buffer, keys: MasterKeys): void {
  const known = [keys.check, keys.old?.check ?? keys.check];
  if (!known.some((each) => timingSafeEqual(check, each))) throw otherSecret();
}

function otherSecret(): Error {
  return new Error(
    "the database was set up with another PLATFORM_SECRET: " +
      "its access keys and secrets would all be rejected",
  );
}
