import { Kysely, type Migration, Migrator, PostgresDialect, sql } from "kysely";
import pg from "pg";

import { pause } from "../process/lifecycle/pause.js";
import { migrations } from "./migrations/index.js";
import { verifyWritable } from "./require-writable.js";
import { withClient } from "./with-client.js";

/**
 * How long a migration waits for a lock. It is shorter than the second after
 * which PostgreSQL looks for deadlocks, so the migration is canceled instead of
 * a call.
 */
const lockMs = 500;

/** The pause in which calls that waited can run. */
const pauseMs = 250;

/** How long a migration is tried again. */
const defaultPatienceMs = 10 * 60_000;

const migrationTable = "platform_migrations";

/**
 * The end of the names of migrations that remove what an earlier version uses.
 * All others only add to the database, so earlier versions work with them.
 */
const removal = /-removal$/u;

/**
 * Applies all pending migrations, each in its own transaction. If several
 * instances start at the same time, an advisory lock makes them wait for each
 * other. Statements have no timeout, because migrating a large amount of data can
 * take a long time.
 *
 * Instances of the version before are using the tables. A migration that waits
 * for a lock makes their statements wait, too, so it gives up soon and is tried
 * again.
 *
 * Input: `url` of the database.
 * Returns the names of the migrations that were applied.
 * Errors: Error if a later version has removed what this one uses, or if a
 * migration fails, or waits for locks for too long. The failed migration is
 * rolled back.
 */
export async function migrate(
  url: string,
  all: Readonly<Record<string, Migration>> = migrations,
  patienceMs = defaultPatienceMs,
): Promise<readonly string[]> {
  const pool = new pg.Pool({
    connectionString: url,
    keepAlive: true,
    lock_timeout: lockMs,
    verify: verifyWritable,
  });
  // A lost connection also makes the query fail. Without a listener, the error
  // event would end the process.
  pool.on("error", () => undefined);
  const database = new Kysely({ dialect: new PostgresDialect({ pool }) });
  const migrator = new Migrator({
    db: database,
    provider: {
      getMigrations: async () => ({
        ...all,
        ...(await findLater(database, all)),
      }),
    },
    migrationTableName: migrationTable,
    migrationLockTableName: "platform_migrations_lock",
    // Each service has its own range of numbers, so a later release can add a
    // migration with a lower number.
    allowUnorderedMigrations: true,
  });
  const ran: string[] = [];
  try {
    return await withClient(
      { connectionString: url, keepAlive: true },
      async (client) => {
        let giveUpAt = performance.now() + patienceMs;
        for (;;) {
          const { error, results = [] } = await holdingLock(client, () =>
            migrator.migrateUp(),
          );
          if (error === undefined) {
            if (results.length === 0) return ran;
            ran.push(...results.map(({ migrationName }) => migrationName));
            giveUpAt = performance.now() + patienceMs;
          } else {
            if (!isLocked(error) || performance.now() > giveUpAt) throw error;
            await pause(pauseMs, new AbortController().signal);
          }
        }
      },
    );
  } finally {
    await database.destroy();
  }
}

/**
 * Lets one instance at a time do some work. Kysely also has a lock, but looks at
 * the columns of all tables before it takes it. It fails if another instance
 * removes one of them meanwhile.
 */
async function holdingLock<Result>(
  client: pg.Client,
  work: () => Promise<Result>,
): Promise<Result> {
  const name = `hashtextextended('${migrationTable}', 0)`;
  await client.query(`select pg_advisory_lock(${name})`);
  try {
    return await work();
  } finally {
    await client.query(`select pg_advisory_unlock(${name})`);
  }
}

/** Returns whether another transaction held a lock. */
function isLocked(error: unknown): boolean {
  return error instanceof pg.DatabaseError
    ? ["40P01", "55P03"].includes(error.code ?? "")
    : false;
}

/**
 * Returns the migrations of later versions that were applied, because Kysely
 * requires that it knows them all.
 *
 * Errors: Error if one of them has removed what this version uses.
 */
async function findLater(
  database: Kysely<unknown>,
  all: Readonly<Record<string, Migration>>,
): Promise<Record<string, Migration>> {
  const { rows } = await sql<{ readonly name: string }>`
    select name from ${sql.table(migrationTable)}`.execute(database);
  const later = rows.map(({ name }) => name).filter((name) => !(name in all));
  const removing = later.find((name) => removal.test(name));
  if (removing !== undefined) {
    throw new Error(
      `a later version has upgraded the database for good (${removing}): start that version`,
    );
  }
  return Object.fromEntries(
    later.map((name) => [name, { up: () => Promise.resolve() }]),
  );
}
