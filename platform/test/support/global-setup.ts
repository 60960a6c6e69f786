import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { pino } from "pino";
import type { TestProject } from "vitest/node";

import { startEmbeddedDatabase } from "../../database/embedded.js";

declare module "vitest" {
  interface ProvidedContext {
    /** Of the database server that all tests share. */
    databaseUrl: string;
    /** Where the first chain leaves its state for the others. */
    chainFolder: string;
  }
}

/**
 * Builds the platform, for tests that start it, and starts a database, unless
 * TEST_DATABASE_URL names one. Its user has to be allowed to make others.
 */
export async function setup(
  project: TestProject,
): Promise<() => Promise<void>> {
  execFileSync(process.execPath, ["scripts/build-platform.js"], {
    stdio: "inherit",
  });
  const chainFolder = mkdtempSync(join(tmpdir(), "ridlkit-chains-"));
  project.provide("chainFolder", chainFolder);
  const stopDatabase = await startDatabase(project);
  return async () => {
    await stopDatabase();
    rmSync(chainFolder, { recursive: true });
  };
}

async function startDatabase(
  project: TestProject,
): Promise<() => Promise<void>> {
  const given = process.env["TEST_DATABASE_URL"];
  if (given !== undefined) {
    project.provide("databaseUrl", given);
    return () => Promise.resolve();
  }
  const folder = mkdtempSync(join(tmpdir(), "ridlkit-database-"));
  // Root lets an account without rights run the database.
  chmodSync(folder, 0o755);
  const log = pino({ level: "silent" });
  const database = await startEmbeddedDatabase(folder, log);
  project.provide("databaseUrl", database.url);
  return async () => {
    await database.stop();
    rmSync(folder, { recursive: true });
  };
}
