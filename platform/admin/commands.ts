import { audienceCommands } from "./audience-commands.js";
import type { Command } from "./command.js";
import { localCommands } from "./local-commands.js";
import { orderCommands } from "./order-commands.js";
import { projectCommands } from "./project-commands.js";
import { walletCommands } from "./wallet-commands.js";
import { webhookCommands } from "./webhook-commands.js";

/** All commands, in the order of the help text. */
export const commands: readonly Command[] = [
  ...projectCommands,
  ...audienceCommands,
  ...walletCommands,
  ...webhookCommands,
  ...orderCommands,
  ...localCommands,
];

const footer = `Every command also takes these flags:

  --json        prints the result as JSON
  --url <url>   uses the console at this URL instead of the console of the
                platform that uses the data folder
  --help        prints this help, or that of a command or group of commands

Commands call the console with the owner's password from OPERATOR_TOKEN or the data
folder. The commands for the database, the forwarder and operators need no
running platform. Lists contain the first 200 entries unless --all is given. The
exit code is 1 if a command fails, and 2 if the command line is invalid.
`;

/**
 * Returns the help text for the commands whose names start with the given
 * words. If no words are given, describes all commands.
 */
export function helpFor(args: readonly string[]): string {
  const chosen = commands.filter(({ words }) =>
    args.every((word, index) => word === words[index]),
  );
  const lines = chosen.map(
    ({ about, usage }) => `  ${usage}\n${indented(about)}`,
  );
  const head = "Usage: npm run --silent platform -- <command>";
  return [head, lines.join("\n"), ...(args.length === 0 ? [footer] : [])].join(
    "\n\n",
  );
}

/** Breaks text into indented lines of at most 80 characters. */
function indented(text: string): string {
  return text.replace(/(.{1,74})(?: |$)/gu, "      $1\n").trimEnd();
}
