import { pino } from "pino";

import { backUp } from "../database/backup/back-up.js";
import { BackupError } from "../database/backup/backup-file.js";
import { restore } from "../database/backup/restore.js";
import {
  findRunningDatabase,
  startEmbeddedDatabase,
} from "../database/embedded.js";
import type { Settings } from "../settings/settings.js";
import { UsageError } from "./command.js";
import { usage } from "./commands.js";

type Run = (url: string, path: string) => Promise<string>;

/** Commands for the database itself, which also work while no platform runs. */
const commands: Readonly<Record<string, Run | undefined>> = {
  "database backup": async (url, path) => {
    await backUp(url, path);
    return `the database is in ${path}; keep PLATFORM_SECRET with it`;
  },
  "database restore": async (url, path) => {
    await restore(url, path);
    return `${path} is restored`;
  },
};

/**
 * Runs a command on the configured database. If that is the embedded database
 * and it does not run, starts it for the command.
 *
 * Output: the text to print, or null if the words are not a database command.
 * Errors: UsageError.
 */
export async function runDatabaseCommand(
  readSettings: () => Settings,
  words: readonly string[],
): Promise<string | null> {
  const run = commands[words.slice(0, 2).join(" ")];
  if (run === undefined) return null;
  const [path, ...others] = words.slice(2);
  if (path === undefined || others.length > 0) throw new UsageError(usage);
  try {
    return await withDatabase(readSettings(), (url) => run(url, path));
  } catch (error) {
    if (error instanceof BackupError) throw new UsageError(error.message);
    throw error;
  }
}

async function withDatabase(
  { databaseUrl, dataFolder }: Settings,
  work: (url: string) => Promise<string>,
): Promise<string> {
  const running = databaseUrl ?? (await findRunningDatabase(dataFolder));
  if (running !== null) return work(running);
  const log = pino({ level: "silent" });
  const { stop, url } = await startEmbeddedDatabase(dataFolder, log);
  try {
    return await work(url);
  } finally {
    await stop();
  }
}
