import { type Kysely, type Migration, Migrator } from "kysely";

import { migrations } from "./migrations/index.js";
import type { Tables } from "./schema.js";

/**
 * Brings the tables up to date. Instances that start at once wait for each
 * other, by an advisory lock of the database.
 *
 * Output: the names of the migrations that were run.
 * Errors: Error when one fails, which undoes all, and when the database is newer
 * than this program.
 */
export async function migrate(
  database: Kysely<Tables>,
  all: Readonly<Record<string, Migration>> = migrations,
): Promise<readonly string[]> {
  const migrator = new Migrator({
    db: database,
    provider: { getMigrations: () => Promise.resolve({ ...all }) },
    migrationTableName: "platform_migrations",
    migrationLockTableName: "platform_migrations_lock",
    // Services number theirs apart: an early number may come late.
    allowUnorderedMigrations: true,
  });
  const { error, results } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
  return results?.map(({ migrationName }) => migrationName) ?? [];
}
