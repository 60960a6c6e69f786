import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import pg from "pg";
import { pino } from "pino";
import type { TestProject } from "vitest/node";

import {
  type EmbeddedDatabase,
  startEmbeddedDatabase,
} from "../../database/embedded.js";
import { migrate } from "../../database/migrate.js";

declare module "vitest" {
  interface ProvidedContext {
    /** The URL of the database server that all tests share. */
    databaseUrl: string;
    /**
     * The name of the database with all tables. Other databases are copied from
     * it.
     */
    migratedDatabase: string;
    /** The folder in which the first chain saves its state for the others. */
    chainFolder: string;
  }
}

/**
 * Builds the platform for tests that start it. Starts a database unless
 * TEST_DATABASE_URL names one. The URL's user must be allowed to create
 * databases.
 */
export async function setup(
  project: TestProject,
): Promise<() => Promise<void>> {
  const chainFolder = mkdtempSync(join(tmpdir(), "ridlkit-chains-"));
  project.provide("chainFolder", chainFolder);
  const [{ url, stop }] = await Promise.all([
    startDatabase(),
    promisify(execFile)(process.execPath, ["scripts/build-platform.js"]),
  ]);
  project.provide("databaseUrl", url);
  project.provide("migratedDatabase", await createMigrated(url));
  return async () => {
    await stop();
    rmSync(chainFolder, { recursive: true });
  };
}

async function startDatabase(): Promise<EmbeddedDatabase> {
  const given = process.env["TEST_DATABASE_URL"];
  if (given !== undefined) return { url: given, stop: () => Promise.resolve() };
  const folder = mkdtempSync(join(tmpdir(), "ridlkit-database-"));
  // Let an unprivileged account access the folder, because root needs such an
  // account to run the database.
  chmodSync(folder, 0o755);
  // An unexpected end is printed, because tests fail then.
  const log = pino({ level: "error" });
  const { url, stop } = await startEmbeddedDatabase(folder, log);
  // Test data does not need to survive a crash, so do not wait for the disk.
  await query(
    url,
    ...["fsync", "synchronous_commit", "full_page_writes"].map(
      (setting) => `alter system set ${setting} = off`,
    ),
    "select pg_reload_conf()",
  );
  return {
    url,
    stop: async () => {
      await stop();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Creates a database with all tables. Output: its name. */
async function createMigrated(server: string): Promise<string> {
  const name = `migrated_${randomBytes(6).toString("hex")}`;
  await query(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  await migrate(url.href);
  return name;
}

async function query(
  url: string,
  ...statements: readonly string[]
): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}
