import pg from "pg";

import { migrate } from "../migrate.js";
import { migrations } from "../migrations/index.js";
import { withClient } from "../with-client.js";
import {
  BackupError,
  type BackupLine,
  type BackupRow,
  type BackupStart,
  type BackupTable,
  readBackup,
  readMigrations,
} from "./backup-file.js";

/**
 * The number of rows per insert. A statement can have at most 65,535
 * parameters.
 */
const rowsAtOnce = 500;

/**
 * Restores a backup into a database without data, and then migrates it. If
 * reading or inserting rows fails, no rows are left behind, and the restore can
 * be retried.
 *
 * Errors: BackupError if the backup cannot be read or is newer than this
 * program, or if the database has data or is newer than the backup; any error
 * from pg or from a migration.
 */
export async function restore(url: string, path: string): Promise<void> {
  await withClient({ connectionString: url }, (client) =>
    readBackup(path, async (lines) => {
      await client.query("begin");
      await takeLines(client, lines, async (start) => {
        const applied = await readMigrations(client);
        await makeTables(url, start, applied ?? []);
      });
      await client.query("commit");
    }),
  );
  await migrate(url);
}

/** Creates the tables as they were when the backup was made. */
async function makeTables(
  url: string,
  { migrations: names }: BackupStart,
  applied: readonly string[],
): Promise<void> {
  const unknown = names.filter((name) => !Object.hasOwn(migrations, name));
  if (unknown.length > 0) {
    throw new BackupError(
      `the backup is newer than this program, which does not include ${unknown.join(", ")}`,
    );
  }
  const newer = applied.filter((name) => !names.includes(name));
  if (newer.length > 0) {
    throw new BackupError(
      `the database is newer than the backup, which does not include ${newer.join(", ")}`,
    );
  }
  const older = Object.entries(migrations).filter(([name]) =>
    names.includes(name),
  );
  await migrate(url, Object.fromEntries(older));
}

async function takeLines(
  client: pg.Client,
  lines: AsyncIterable<BackupLine>,
  onStart: (start: BackupStart) => Promise<void>,
): Promise<void> {
  let table: BackupTable | null = null;
  let rows: BackupRow[] = [];
  const flush = async (): Promise<void> => {
    if (table !== null && rows.length > 0) await insert(client, table, rows);
    rows = [];
  };
  for await (const line of lines) {
    if ("migrations" in line) await onStart(line);
    else if ("table" in line) {
      await flush();
      table = line;
      await openTable(client, table);
    } else {
      rows.push(line);
      if (rows.length === rowsAtOnce) await flush();
    }
  }
  await flush();
  if (table === null) throw new BackupError("the backup is empty");
}

/**
 * Rejects a table that already has rows, and makes its identity column continue
 * after the last number.
 */
async function openTable(
  client: pg.Client,
  { table, numbered }: BackupTable,
): Promise<void> {
  const name = pg.escapeIdentifier(table);
  const { rowCount } = await client.query(`select 1 from ${name} limit 1`);
  if (rowCount !== 0) {
    throw new BackupError(
      `the database already has data in ${table}: restore into an empty one`,
    );
  }
  if (numbered === null) return;
  await client.query(
    "select setval(pg_get_serial_sequence(quote_ident($1), $2), $3)",
    [table, numbered.column, numbered.last],
  );
}

async function insert(
  client: pg.Client,
  { table, columns }: BackupTable,
  rows: readonly BackupRow[],
): Promise<void> {
  const names = columns.map((column) => pg.escapeIdentifier(column));
  const places = rows.map((_, row) => {
    const first = row * columns.length + 1;
    return `(${columns.map((_column, index) => `$${first + index}`).join(", ")})`;
  });
  await client.query(
    `insert into ${pg.escapeIdentifier(table)} (${names.join(", ")})
    overriding system value values ${places.join(", ")}`,
    rows.flat(),
  );
}
