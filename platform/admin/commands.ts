import { parseArgs } from "node:util";

import type { ConsoleHostClient } from "../console/generated/client.js";
import { audienceCommands } from "./audience-commands.js";
import { type Command, UsageError } from "./command.js";
import { orderCommands } from "./order-commands.js";
import { projectCommands } from "./project-commands.js";
import { serviceCommands } from "./service-commands.js";

/** The help text, which lists all commands. */
export const usage = `Usage: npm run --silent platform -- <command>

  project create <name>          makes a project, and prints its number
  project list [search]          lists projects
  project rename <project> <name>
  key create <project>           gives it an access key, and prints that
  key create <project> --secret  gives it a secret, and prints that
    --read-only                  the secret may not write
    --days <number>              how long it is valid; 365 unless given
  key list <project>             lists access keys and secrets
  key revoke <key>               revokes an access key or a secret
  audience create <project> <name>
  audience list <project>
  audience rename <project> <audience> <name>
  audience delete <project> <audience>
  audience import <project> <audience> <file>
                                 adds the contacts of a CSV file
  audience export <project> <audience>
                                 prints its contacts as CSV
  link add <wallet> <linked wallet> [chain id]
                                 links a wallet to another one
  link list [wallet]
  link remove <link>
  tank list <project>
  tank fill <project> <chain id> <amount>
                                 puts an amount of the smallest unit into its
                                 gas tank on a chain
  tank entries <project> <chain id>
                                 lists what has changed a tank
  sponsor add <project> <chain id> <address> [name]
  sponsor list <project>
  sponsor delete <project> <sponsor>
  forwarder show                 prints the address of the forwarder of relayed
                                 calls, and the transaction that deploys it
  listener add <project> <chain id> <url> [event signature]
  listener list <project>
  listener resume <project> <listener>
  listener delete <project> <listener>
  order import <network> <file>  stores signed orders that the chain has no log of:
                                 a line of JSON each, as seaport-js makes them
  order show <network> <order id>
                                 prints such a line of an order, for who fills it
  webhook list [project]         lists the last webhooks
  webhook show <key>             prints one, with its attempts
  webhook secret <project>       prints what its webhooks are signed with
  webhook rotate <project>       replaces that secret, and prints the new one; for
                                 a day, webhooks are signed with both
  webhook dead                   lists the webhooks that have been given up
  webhook replay <key>           sends one again; all: all that were given up
  refresh list <project>         lists refresh tasks
  usage <project> [from] [to]    counts calls by day and method; the last 30 days
                                 unless given
  action list [project]          lists what operators did
  database backup <file>         writes all that the database has to a new file
  database restore <file>        restores that into an empty database
  operator hash                  reads a password from standard input, and prints
                                 its hash, for \`operators\` in the settings

Lists have the last 200 entries. Commands call the console of the platform that
runs in the data folder, or the one that --url names, with the operator token
from OPERATOR_TOKEN or from the data folder. Those of the database and of the
forwarder need no running platform. Keys are printed once: the database does not
keep them.
`;

const commands: Readonly<Record<string, Command | undefined>> = {
  ...projectCommands,
  ...audienceCommands,
  ...serviceCommands,
  ...orderCommands,
};

/**
 * Runs a command on the console of a platform.
 *
 * Output: the text to print.
 * Errors: UsageError; those of the console.
 */
export async function runCommand(
  client: ConsoleHostClient,
  words: readonly string[],
): Promise<string> {
  const { positionals, values } = readWords(words);
  const length = positionals[0] === "usage" ? 1 : 2;
  const name = positionals.slice(0, length).join(" ");
  const given = positionals.slice(length);
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) throw new UsageError(usage);
  const [min, max] = command.values;
  if (given.length < min || given.length > max) throw new UsageError(usage);
  return command.run(client, values, ...given);
}

/** Parses flags and positional arguments. Errors: UsageError. */
export function readWords(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        secret: { type: "boolean", default: false },
        "read-only": { type: "boolean", default: false },
        days: { type: "string", default: "365" },
        url: { type: "string" },
      },
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${reason}\n\n${usage}`);
  }
}
