import { Kysely, type Migration, Migrator, PostgresDialect } from "kysely";
import pg from "pg";

import { migrations } from "./migrations/index.js";

/**
 * Brings the tables up to date. Instances that start at once wait for each
 * other, by an advisory lock of the database. No time limits apply: on much
 * data a migration takes as long as it takes.
 *
 * Input: `url` of the database.
 * Output: the names of the migrations that were run.
 * Errors: Error when one fails, which undoes all, and when the database is newer
 * than this program.
 */
export async function migrate(
  url: string,
  all: Readonly<Record<string, Migration>> = migrations,
): Promise<readonly string[]> {
  const pool = new pg.Pool({ connectionString: url, keepAlive: true });
  // A lost connection fails the query; unheard, it would end the process too.
  pool.on("error", () => undefined);
  const database = new Kysely({ dialect: new PostgresDialect({ pool }) });
  const migrator = new Migrator({
    db: database,
    provider: { getMigrations: () => Promise.resolve({ ...all }) },
    migrationTableName: "platform_migrations",
    migrationLockTableName: "platform_migrations_lock",
    // Services number theirs apart: an early number may come late.
    allowUnorderedMigrations: true,
  });
  const { error, results } = await migrator
    .migrateToLatest()
    .finally(() => database.destroy());
  if (error !== undefined) throw error;
  return results?.map(({ migrationName }) => migrationName) ?? [];
}
