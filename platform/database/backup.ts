import { execFile } from "node:child_process";
import { open, rm } from "node:fs/promises";
import { promisify } from "node:util";

import { migrate } from "./migrate.js";
import { documentTables } from "./stored-documents.js";
import { withClient } from "./with-client.js";

/**
 * Thrown if a backup cannot be created or restored. The message gives the
 * reason.
 */
export class BackupError extends Error {
  override readonly name = "BackupError";
}

const common = ["--no-owner", "--no-privileges"];

/**
 * Writes a consistent snapshot of a database to a new file with `pg_dump`.
 * Instances can keep using the database. Caches and rate limits are left out.
 *
 * Errors: BackupError if `pg_dump` is missing or fails, or if the database does
 * not belong to a platform; EEXIST if the file exists.
 */
export async function backUp(url: string, path: string): Promise<void> {
  await requirePlatform(url);
  // Only the owner can read the file, and an existing one is not overwritten.
  await (await open(path, "wx", 0o600)).close();
  try {
    await run("pg_dump", url, [
      ...["--format=custom", "--no-unlogged-table-data", ...common],
      ...documentTables.map((table) => `--exclude-table-data=${table}`),
      `--file=${path}`,
    ]);
  } catch (error) {
    await rm(path);
    throw error;
  }
}

/**
 * Restores a backup into an empty database with `pg_restore`, and then migrates
 * it. If restoring fails, the database stays empty.
 *
 * Errors: BackupError if `pg_restore` is missing or fails; any error from
 * `migrate`.
 */
export async function restore(url: string, path: string): Promise<void> {
  const options = ["--single-transaction", "--exit-on-error", ...common];
  await run("pg_restore", url, [...options, path]);
  await migrate(url);
}

async function requirePlatform(url: string): Promise<void> {
  const { rows } = await withClient({ connectionString: url }, (client) =>
    client.query("select to_regclass('platform_migrations') as found"),
  );
  if (Object(rows[0]).found !== null) return;
  throw new BackupError("the database does not contain a platform's tables");
}

/** Runs a program of PostgreSQL with a database. Errors: BackupError. */
async function run(
  program: string,
  url: string,
  options: readonly string[],
): Promise<void> {
  const place = new URL(url);
  const { password } = place;
  // Other users can see arguments, but not the environment.
  place.password = "";
  const env = {
    ...process.env,
    ...(password !== "" && { PGPASSWORD: decodeURIComponent(password) }),
  };
  try {
    const given = [`--dbname=${place.href}`, ...options];
    await promisify(execFile)(program, given, { env });
  } catch (error) {
    const { code, stderr } = Object(error);
    throw new BackupError(
      code === "ENOENT"
        ? `${program} was not found: install PostgreSQL's client programs`
        : `${program} failed: ${String(stderr).trim()}`,
    );
  }
}
