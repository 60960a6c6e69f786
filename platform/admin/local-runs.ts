import { text } from "node:stream/consumers";

import { pino } from "pino";

import { deployer, encodeDeployment } from "../chain/chain-wallet.js";
import { forwarderAddress, forwarderCode } from "../chain/forwarder.js";
import { hashPassword } from "../console/sign-in/password.js";
import { backUp, BackupError, restore } from "../database/backup.js";
import {
  findRunningDatabase,
  startEmbeddedDatabase,
} from "../database/embedded.js";
import type { Settings } from "../settings/read-settings.js";
import { CommandError, show, type Tools, UsageError } from "./command.js";

/** The file of a backup. */
export interface BackupFile {
  readonly file: string;
}

/** What each command that needs no running platform does, by its name. */
export const localRuns = {
  "database backup": async ({ settings }: Tools, { file }: BackupFile) => {
    await withDatabase(settings, (url) => backUp(url, file));
    const advice = `the database is in ${file}; keep PLATFORM_SECRET with it`;
    return show({ file }, advice);
  },
  "database restore": async ({ settings }: Tools, { file }: BackupFile) => {
    await withDatabase(settings, (url) => restore(url, file));
    return show({ file }, `restored ${file}`);
  },
  "forwarder show": () => {
    const data = encodeDeployment(forwarderCode);
    const deployment = { to: deployer, data };
    const found = { address: forwarderAddress, deployment };
    return show(found, JSON.stringify(found, null, 2));
  },
  "operator hash": async () => {
    const password = (await text(process.stdin)).replace(/\r?\n$/u, "");
    if (password === "" || /[\r\n]/u.test(password)) {
      throw new UsageError("expected a password in one line on standard input");
    }
    const hash = await hashPassword(password);
    return show(hash, hash);
  },
};

/**
 * Runs work with the configured database. If this is the embedded database and
 * it is not running, starts it for the duration of the command.
 *
 * Errors: CommandError in place of a BackupError; any other error from the work
 * or the database.
 */
async function withDatabase(
  { databaseUrl, dataFolder }: Settings,
  work: (url: string) => Promise<unknown>,
): Promise<void> {
  try {
    const running = databaseUrl ?? (await findRunningDatabase(dataFolder));
    if (running !== null) return void (await work(running));
    const log = pino({ level: "silent" });
    const { stop, url } = await startEmbeddedDatabase(dataFolder, log);
    try {
      await work(url);
    } finally {
      await stop();
    }
  } catch (error) {
    if (error instanceof BackupError) throw new CommandError(error.message);
    throw error;
  }
}
