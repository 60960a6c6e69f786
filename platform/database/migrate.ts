import { Kysely, type Migration, Migrator, PostgresDialect } from "kysely";
import pg from "pg";

import { migrations } from "./migrations/index.js";

/**
 * Applies all pending migrations. An advisory lock makes instances that start
 * at the same time wait for each other. No time limits apply, because migrating
 * a large amount of data can take a long time.
 *
 * Input: `url` of the database.
 * Output: the names of the migrations that were applied.
 * Errors: Error if a migration fails, which undoes all of them, or if the
 * database is newer than this program.
 */
export async function migrate(
  url: string,
  all: Readonly<Record<string, Migration>> = migrations,
): Promise<readonly string[]> {
  const pool = new pg.Pool({ connectionString: url, keepAlive: true });
  // A lost connection also fails the query. Without a listener, the error would
  // end the process.
  pool.on("error", () => undefined);
  const database = new Kysely({ dialect: new PostgresDialect({ pool }) });
  const migrator = new Migrator({
    db: database,
    provider: { getMigrations: () => Promise.resolve({ ...all }) },
    migrationTableName: "platform_migrations",
    migrationLockTableName: "platform_migrations_lock",
    // Each service has its own range of numbers, so a migration with a low
    // number can be added late.
    allowUnorderedMigrations: true,
  });
  const { error, results } = await migrator
    .migrateToLatest()
    .finally(() => database.destroy());
  if (error !== undefined) throw error;
  return results?.map(({ migrationName }) => migrationName) ?? [];
}
