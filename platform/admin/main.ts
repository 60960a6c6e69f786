import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";

import { TransportError } from "@ridlkit/runtime/client";
import { isRpcError } from "@ridlkit/runtime/errors";

import { findConsole } from "../announce/console-file.js";
import { deployer, encodeDeployment } from "../chain/chain-wallet.js";
import { forwarderAddress, forwarderCode } from "../chain/forwarder.js";
import {
  type ConsoleHostClient,
  createConsoleHostClient,
} from "../console/generated/client.js";
import { hashPassword } from "../console/sign-in/password.js";
import { tokenFile } from "../console/start-console.js";
import { readSettings } from "../settings/read-settings.js";
import { UsageError } from "./command.js";
import { readWords, runCommand, usage } from "./commands.js";
import { runDatabaseCommand } from "./database-commands.js";

const notRunning =
  "no platform is running: start one with npm start, or name the console of one with --url";

/**
 * Opens the console at a URL, or that of the local platform. Errors:
 * UsageError.
 */
function openClient(url: string | undefined): ConsoleHostClient {
  const { dataFolder, operatorToken } = readSettings(process.env);
  const baseUrl = url ?? findConsole(dataFolder);
  if (baseUrl === null) throw new UsageError(notRunning);
  const path = join(dataFolder, tokenFile);
  const kept = existsSync(path) ? readFileSync(path, "utf8") : null;
  const sessionToken = operatorToken ?? kept;
  if (sessionToken === null) {
    const problem = `there is no operator token: set OPERATOR_TOKEN, or copy that of the platform to ${path}`;
    throw new UsageError(problem);
  }
  return createConsoleHostClient({ baseUrl, credentials: { sessionToken } });
}

async function main(words: readonly string[]): Promise<string> {
  if (words.length === 0 || words.includes("--help")) return usage;
  const { positionals, values } = readWords(words);
  if (positionals.join(" ") === "operator hash") {
    return hashPassword((await text(process.stdin)).replace(/\r?\n$/u, ""));
  }
  if (positionals.join(" ") === "forwarder show") return describeForwarder();
  const done = await runDatabaseCommand(
    () => readSettings(process.env),
    positionals,
  );
  return done ?? runCommand(openClient(values.url), words);
}

/** Describes the forwarder's address and how any account can deploy it. */
function describeForwarder(): string {
  const data = encodeDeployment(forwarderCode);
  const deployment = { to: deployer, data };
  return JSON.stringify({ address: forwarderAddress, deployment }, null, 2);
}

/** Returns what to print about a failure. */
function describe(error: unknown): unknown {
  if (error instanceof UsageError) return error.message;
  if (error instanceof TransportError && error.reason === "network") {
    return notRunning;
  }
  if (!isRpcError(error)) return error;
  return [error.message, error.cause].filter(Boolean).join(": ");
}

main(process.argv.slice(2)).then(
  (printed) => {
    console.log(printed.trimEnd());
  },
  (error: unknown) => {
    console.error(describe(error));
    process.exitCode = 1;
  },
);
