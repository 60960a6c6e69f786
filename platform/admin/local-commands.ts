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
import { command, CommandError, UsageError } from "./command.js";
import { show } from "./output.js";

/** Commands that need no running platform. */
export const localCommands = [
  command(
    "database backup <file>",
    "writes the content of the database to a new file, with pg_dump",
    async ({ settings }, { file }) => {
      await withDatabase(settings, (url) => backUp(url, file));
      const advice = `the database is in ${file}; keep PLATFORM_SECRET with it`;
      return show({ file }, advice);
    },
  ),
  command(
    "database restore <file>",
    "restores a backup into an empty database, with pg_restore",
    async ({ settings }, { file }) => {
      await withDatabase(settings, (url) => restore(url, file));
      return show({ file }, `restored ${file}`);
    },
  ),
  command(
    "forwarder show",
    "prints the address of the forwarder for relayed calls, and the transaction that deploys it, as JSON",
    async () => {
      const data = encodeDeployment(forwarderCode);
      const deployment = { to: deployer, data };
      const found = { address: forwarderAddress, deployment };
      return show(found, JSON.stringify(found, null, 2));
    },
  ),
  command(
    "operator hash",
    "reads a password from standard input and prints its hash, for `operators` in the settings",
    async () => {
      const password = (await text(process.stdin)).replace(/\r?\n$/u, "");
      if (password === "" || /[\r\n]/u.test(password)) {
        throw new UsageError(
          "expected a password in one line on standard input",
        );
      }
      const hash = await hashPassword(password);
      return show(hash, hash);
    },
  ),
];

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
