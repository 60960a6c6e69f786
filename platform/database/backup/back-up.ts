import pg from "pg";

import { documentTables } from "../retention.js";
import { withClient } from "../with-client.js";
import {
  BackupError,
  type BackupLine,
  type BackupTable,
  readMigrations,
  writeBackup,
} from "./backup-file.js";

/** The number of rows in memory at a time. */
const rowsAtOnce = 1000;

/**
 * Writes a consistent snapshot of a database to a new file. Instances can keep
 * using the database during the backup. Caches and rate limits are left out.
 *
 * Errors: BackupError if the file exists or cannot be created, or if the
 * database does not belong to a platform; any error from pg or from writing.
 */
export async function backUp(url: string, path: string): Promise<void> {
  await withClient({ connectionString: url }, async (client) => {
    await client.query("begin isolation level repeatable read read only");
    // Make the text form of values independent of the server's settings.
    await client.query("set local timezone = 'UTC'");
    await client.query("set local datestyle = 'ISO'");
    const migrations = await readMigrations(client);
    if (migrations === null) {
      throw new BackupError(
        "the database does not contain a platform's tables",
      );
    }
    await writeBackup(path, readLines(client, migrations));
  });
}

async function* readLines(
  client: pg.Client,
  migrations: readonly string[],
): AsyncGenerator<BackupLine> {
  yield { migrations };
  for (const table of await readTables(client)) {
    yield table;
    const texts = table.columns.map(
      (column) => `${pg.escapeIdentifier(column)}::text`,
    );
    await client.query(
      `declare backup cursor for select ${texts.join(", ")}
      from ${pg.escapeIdentifier(table.table)}`,
    );
    for (;;) {
      const { rows } = await client.query<(string | null)[]>({
        text: `fetch ${rowsAtOnce} from backup`,
        rowMode: "array",
      });
      yield* rows;
      if (rows.length < rowsAtOnce) break;
    }
    await client.query("close backup");
  }
}

interface TableRow {
  readonly table: string;
  readonly columns: readonly string[];
  /** The tables that this table's rows reference. */
  readonly needs: readonly string[];
  readonly numbered: string | null;
}

/**
 * Lists all tables except the migration tables and those that contain only
 * caches or rate limits, which are unlogged or contain documents. Each table
 * follows the tables that it references.
 */
async function readTables(client: pg.Client): Promise<readonly BackupTable[]> {
  const { rows } = await client.query<TableRow>(
    `select relname as "table",
      (select json_agg(attname order by attnum) from pg_attribute
        where attrelid = own.oid and attnum > 0 and not attisdropped
      ) as columns,
      (select coalesce(json_agg(other.relname), '[]') from pg_constraint
        join pg_class as other on other.oid = confrelid
        where conrelid = own.oid and contype = 'f' and confrelid <> own.oid
      ) as needs,
      (select attname from pg_attribute
        where attrelid = own.oid and attidentity <> '') as numbered
    from pg_class as own
    where relnamespace = current_schema()::regnamespace and relkind = 'r'
      and relpersistence = 'p' and relname not like 'platform\\_migrations%'
      and relname <> all($1)
    order by relname`,
    [documentTables],
  );
  const tables = [];
  for (const row of sortByNeeds(rows)) {
    const { table, columns, numbered: column } = row;
    const last = column === null ? null : await readLast(client, table, column);
    const numbered = column === null || last === null ? null : { column, last };
    tables.push({ table, columns, numbered });
  }
  return tables;
}

function sortByNeeds(tables: readonly TableRow[]): readonly TableRow[] {
  const sorted = new Map<string, TableRow>();
  const take = (row: TableRow): void => {
    if (sorted.has(row.table)) return;
    for (const other of tables) {
      if (row.needs.includes(other.table)) take(other);
    }
    sorted.set(row.table, row);
  };
  tables.forEach(take);
  return [...sorted.values()];
}

/**
 * Reads the last number that an identity column assigned, even if its row was
 * deleted.
 */
async function readLast(
  client: pg.Client,
  table: string,
  column: string,
): Promise<string | null> {
  const { rows } = await client.query<{ readonly last: string | null }>(
    `select pg_sequence_last_value(
      pg_get_serial_sequence(quote_ident($1), $2)::regclass) as last`,
    [table, column],
  );
  return rows[0]?.last ?? null;
}
