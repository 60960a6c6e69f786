import { Kysely, type Migration, Migrator, PostgresDialect } from "kysely";
import pg from "pg";

import { migrations } from "./migrations/index.js";
import { verifyWritable } from "./require-writable.js";

/**
 * Applies all pending migrations. If several instances start at the same time,
 * an advisory lock makes them wait for each other. There are no timeouts,
 * because migrating a large amount of data can take a long time.
 *
 * Input: `url` of the database.
 * Returns the names of the migrations that were applied.
 * Errors: Error if the database is newer than this program or if a migration
 * fails. After a failure, all migrations of this run are rolled back.
 */
export async function migrate(
  url: string,
  all: Readonly<Record<string, Migration>> = migrations,
): Promise<readonly string[]> {
  const pool = new pg.Pool({
    connectionString: url,
    keepAlive: true,
    verify: verifyWritable,
  });
  // A lost connection also makes the query fail. Without a listener, the error
  // event would end the process.
  pool.on("error", () => undefined);
  const database = new Kysely({ dialect: new PostgresDialect({ pool }) });
  const migrator = new Migrator({
    db: database,
    provider: { getMigrations: () => Promise.resolve({ ...all }) },
    migrationTableName: "platform_migrations",
    migrationLockTableName: "platform_migrations_lock",
    // Each service has its own range of numbers, so a later release can add a
    // migration with a lower number.
    allowUnorderedMigrations: true,
  });
  const { error, results } = await migrator
    .migrateToLatest()
    .finally(() => database.destroy());
  if (error !== undefined) throw error;
  return results?.map(({ migrationName }) => migrationName) ?? [];
}
