import { randomBytes } from "node:crypto";

import type { Kysely } from "kysely";
import pg from "pg";
import { pino } from "pino";
import { afterAll, inject } from "vitest";

import { migrate } from "../../database/migrate.js";
import { openDatabase } from "../../database/pool.js";
import type { Tables } from "../../database/schema.js";

/** Nothing is heard of it. */
export const silent = pino({ level: "silent" });

/** Makes an empty database, for the tests of one file. Output: its URL. */
export async function createDatabase(): Promise<string> {
  const server = inject("databaseUrl");
  const name = `test_${randomBytes(6).toString("hex")}`;
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

/**
 * A database with all tables, for the tests of one file.
 *
 * Input: the URL of an empty one; a new one unless given.
 */
export async function openTestDatabase(
  given?: string,
): Promise<Kysely<Tables>> {
  const url = given ?? (await createDatabase());
  await migrate(url);
  const { database } = openDatabase(url, silent);
  afterAll(() => database.destroy());
  return database;
}
