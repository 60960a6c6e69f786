import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { findConsole, tokenFile } from "../announce/console-file.js";
import { toPrintable } from "../announce/to-printable.js";
import {
  type ConsoleHostClient,
  createConsoleHostClient,
} from "../console/generated/client.js";
import { readSettings } from "../settings/read-settings.js";
import { CommandError, UsageError } from "./command.js";
import { describeError } from "./describe-error.js";
import { runCommand } from "./run-command.js";

const notRunning =
  "no platform is running: start one with npm start, or give the URL of a console with --url";

/**
 * Creates a client for the console at a URL, or for the local platform's
 * console by default. Errors: CommandError, SettingsError.
 */
function openClient(url: string | undefined): ConsoleHostClient {
  const { dataFolder, operatorToken } = readSettings(process.env);
  const baseUrl = url ?? findConsole(dataFolder);
  if (baseUrl === null) throw new CommandError(notRunning);
  if (!URL.canParse(baseUrl)) throw new UsageError("--url: expected a URL");
  const path = join(dataFolder, tokenFile);
  const kept = existsSync(path) ? readFileSync(path, "utf8") : null;
  const sessionToken = operatorToken ?? kept;
  if (sessionToken === null) {
    const problem = `there is no owner's password: set OPERATOR_TOKEN, or copy the platform's to ${path}`;
    throw new CommandError(problem);
  }
  return createConsoleHostClient({ baseUrl, credentials: { sessionToken } });
}

runCommand(
  (url) => ({
    get client() {
      return openClient(url);
    },
    get settings() {
      return readSettings(process.env);
    },
  }),
  process.argv.slice(2),
).then(
  ({ note, text }) => {
    console.log(toPrintable(text.trimEnd()));
    if (note !== undefined) console.error(toPrintable(note));
  },
  (error: unknown) => {
    console.error(toPrintable(describeError(error)));
    process.exitCode = error instanceof UsageError ? 2 : 1;
  },
);
