import { randomBytes } from "node:crypto";

import type { Kysely } from "kysely";
import pg from "pg";
import { pino } from "pino";
import { afterAll, expect, inject } from "vitest";

import { openDatabase } from "../../database/pool.js";
import type { Tables } from "../../database/schema.js";

/** A logger that discards all messages. */
export const silent = pino({ level: "silent" });

/**
 * Creates a database for the tests in one file. Input: the database to copy. By
 * default, the new one is empty. Output: its URL.
 */
export async function createDatabase(template = "template1"): Promise<string> {
  const server = inject("databaseUrl");
  const name = `test_${randomBytes(6).toString("hex")}`;
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(`create database ${name} template ${template}`);
  await client.end();
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

/** Creates a database with all tables. Output: its URL. */
export function createMigratedDatabase(): Promise<string> {
  return createDatabase(inject("migratedDatabase"));
}

/**
 * Opens a database with all tables, for the tests in one file. They fail if a query
 * returns too many rows.
 *
 * Input: the URL of a database, by default a new one.
 */
export async function openTestDatabase(
  given?: string,
): Promise<Kysely<Tables>> {
  const url = given ?? (await createMigratedDatabase());
  const lines: string[] = [];
  const log = pino({}, { write: (line) => void lines.push(line) });
  const { database } = openDatabase(url, log);
  afterAll(async () => {
    await database.destroy();
    const isLarge = (line: string) => line.includes("too many rows");
    expect(lines.filter(isLarge)).toEqual([]);
  });
  return database;
}
