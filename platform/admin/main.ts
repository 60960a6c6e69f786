import { pino } from "pino";

import {
  findRunningDatabase,
  startEmbeddedDatabase,
} from "../database/embedded.js";
import { migrate } from "../database/migrate.js";
import { openDatabase } from "../database/pool.js";
import { deriveKeys, readOrMakeSecret } from "../keys/master-secret.js";
import { readSettings } from "../settings/read-settings.js";
import type { Settings } from "../settings/settings.js";
import { runCommand, usage } from "./commands.js";
import { UsageError } from "./usage-error.js";

const log = pino({ level: "warn" }, pino.destination(2));

/** A database, and what to do when it is not needed any more. */
interface OpenedDatabase {
  readonly url: string;
  stop(): Promise<void>;
}

/** The database of the platform, which may be running or not. */
async function openOwn(settings: Settings): Promise<OpenedDatabase> {
  const { databaseUrl, dataFolder } = settings;
  const stop = (): Promise<void> => Promise.resolve();
  const url = databaseUrl ?? (await findRunningDatabase(dataFolder));
  if (url !== null) return { url, stop };
  try {
    return await startEmbeddedDatabase(dataFolder, log);
  } catch (error) {
    // A platform that was about to start has been faster.
    const started = await findRunningDatabase(dataFolder);
    if (started === null) throw error;
    return { url: started, stop };
  }
}

async function main(words: readonly string[]): Promise<string> {
  if (words.length === 0 || words.includes("--help")) return usage;
  const settings = readSettings(process.env);
  const opened = await openOwn(settings);
  const { database } = openDatabase(opened.url, log);
  try {
    await migrate(opened.url);
    const secret = settings.secret ?? readOrMakeSecret(settings.dataFolder);
    return await runCommand({ database, keys: deriveKeys(secret) }, words);
  } finally {
    await database.destroy();
    await opened.stop();
  }
}

main(process.argv.slice(2)).then(
  (text) => {
    console.log(text.trimEnd());
  },
  (error: unknown) => {
    console.error(error instanceof UsageError ? error.message : error);
    process.exitCode = 1;
  },
);
