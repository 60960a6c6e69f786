import { createReadStream } from "node:fs";
import { open, rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";

import { isRecord, isString } from "@ridlkit/runtime/validation";

import { orNull } from "../../process/or-null.js";
import type pg from "pg";

/**
 * Thrown if a backup cannot be created or restored. The message gives the
 * reason.
 */
export class BackupError extends Error {
  override readonly name = "BackupError";
}

/** The first line of a backup: the migrations that were applied. */
export interface BackupStart {
  readonly migrations: readonly string[];
}

/** The line that precedes a table's rows. */
export interface BackupTable {
  readonly table: string;
  readonly columns: readonly string[];
  /**
   * The identity column and the last number that it assigned, or null if there
   * is no such column or number.
   */
  readonly numbered: { readonly column: string; readonly last: string } | null;
}

/** The values of a row in PostgreSQL's text form. */
export type BackupRow = readonly (string | null)[];

/** A line of a backup. A table's line is followed by its rows. */
export type BackupLine = BackupStart | BackupTable | BackupRow;

/**
 * Writes a new file that only its owner can read.
 *
 * Errors: BackupError if the file exists or cannot be created; any error from
 * `lines` or from writing. An error leaves no new file behind.
 */
export async function writeBackup(
  path: string,
  lines: AsyncIterable<BackupLine>,
): Promise<void> {
  const file = await open(path, "wx", 0o600).catch(({ message }: Error) => {
    throw new BackupError(`the backup cannot be written: ${message}`);
  });
  const print = async function* (): AsyncGenerator<string> {
    for await (const line of lines) yield `${JSON.stringify(line)}\n`;
  };
  try {
    await pipeline(print, createGzip(), file.createWriteStream());
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

/**
 * Passes the lines of a backup to `take`, which reads them one at a time.
 *
 * Errors: BackupError if the file cannot be read, is truncated or is not a
 * backup; any error from `take`.
 */
export async function readBackup(
  path: string,
  take: (lines: AsyncIterable<BackupLine>) => Promise<void>,
): Promise<void> {
  const text = createGunzip();
  // An error here also makes the reader fail, which reports it.
  pipeline(createReadStream(path), text).catch(() => undefined);
  try {
    await take(readLines(text));
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    throw new BackupError(`${path} cannot be read: ${error.message}`);
  }
}

/**
 * Returns whether an error comes from the file system or from decompression.
 */
function isUnreadable(error: unknown): error is Error {
  if (!(error instanceof Error) || !("code" in error)) return false;
  return (
    "errno" in error && ("path" in error || String(error.code).startsWith("Z_"))
  );
}

async function* readLines(
  source: AsyncIterable<Buffer>,
): AsyncGenerator<BackupLine> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of source) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield parseLine(line);
  }
  if (rest !== "") throw new BackupError("the backup is incomplete");
}

function parseLine(text: string): BackupLine {
  const line: unknown = orNull(() => JSON.parse(text));
  if (isRow(line) || isStart(line) || isTable(line)) return line;
  throw new BackupError("the file is not a platform backup");
}

const isStrings = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every(isString);

const isRow = (value: unknown): value is BackupRow =>
  Array.isArray(value) &&
  value.every((item) => item === null || isString(item));

const isStart = (value: unknown): value is BackupStart =>
  isRecord(value) && isStrings(value["migrations"]);

function isTable(value: unknown): value is BackupTable {
  if (!isRecord(value) || !isString(value["table"])) return false;
  const { columns, numbered } = value;
  if (!isStrings(columns)) return false;
  return (
    numbered === null ||
    (isRecord(numbered) &&
      isString(numbered["column"]) &&
      isString(numbered["last"]))
  );
}

/**
 * Returns the names of the migrations that were applied to a database, or null
 * if it does not contain a platform's tables.
 */
export async function readMigrations(
  client: pg.Client,
): Promise<readonly string[] | null> {
  const { rows: found } = await client.query(
    "select 1 from pg_class where oid = to_regclass('platform_migrations')",
  );
  if (found.length === 0) return null;
  const { rows } = await client.query<{ readonly name: string }>(
    "select name from platform_migrations order by name",
  );
  return rows.map(({ name }) => name);
}
