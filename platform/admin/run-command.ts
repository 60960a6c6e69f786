import {
  Argument,
  Command,
  CommanderError,
  Help,
  InvalidArgumentError,
  Option,
} from "commander";
import { isAddress } from "viem/utils";

import { RelayStatus } from "../console/generated/types.js";
import { type Output, type Tools, UsageError } from "./command.js";
import { runs } from "./runs.js";
import { usages } from "./usage.js";

const about = `
Commands call the console with the owner's password from OPERATOR_TOKEN or the data
folder. The commands for the database and the forwarder, and \`operator hash\`, need
no running platform. The exit code is 1 if a command fails, and 2 if the command
line is invalid.`;

/**
 * Runs a command line.
 *
 * Input: `open` opens the resources for a command, given the URL from `--url`.
 * Errors: UsageError; any error from the command.
 */
export async function runCommand(
  open: (url: string | undefined) => Tools,
  args: readonly string[],
): Promise<Output> {
  let output: Output = { text: "", value: null };
  const write = (text: string): void => {
    output = { ...output, text: output.text + text };
  };
  const program = createProgram(write);
  for (const [name, run] of Object.entries(runs)) {
    const command = addCommand(program, name);
    command.action(async () => {
      const { json, url } = program.opts();
      const { all, ...request } = requestOf(command);
      output = await run(open(url), request, all === true);
      if (!json) return;
      output = { ...output, text: JSON.stringify(output.value, null, 2) };
    });
  }
  program.showHelpAfterError("--help lists all commands");
  try {
    const words = args.length === 0 ? ["--help"] : args;
    await program.parseAsync(words, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // After printing help, Commander also throws, with code 0.
    if (error.exitCode !== 0) throw new UsageError(output.text.trim());
  }
  return output;
}

/** Creates a command line without commands. Commands inherit its settings. */
function createProgram(write: (text: string) => void): Command {
  return new Command("npm run --silent platform --")
    .option("--json", "print the result as JSON")
    .option(
      "--url <url>",
      "console to call, instead of that of the platform that uses the data folder",
    )
    .exitOverride()
    .configureOutput({ writeOut: write, writeErr: write })
    .configureHelp({
      showGlobalOptions: true,
      // Operators look for a command in a single list.
      visibleCommands: (command) =>
        command.commands.flatMap((each) =>
          each.commands.length > 0 ? each.commands : each,
        ),
      subcommandTerm: (command) =>
        `${groupOf(command)}${new Help().subcommandTerm(command)}`,
    })
    .showHelpAfterError()
    .addHelpText("after", about);
}

/** Returns the first word of a command with two words, and a space. */
function groupOf({ parent }: Command): string {
  return parent?.parent ? `${parent.name()} ` : "";
}

/** Adds a command with the values and flags of its usage text. */
function addCommand(program: Command, name: string): Command {
  const usage = usages.get(name);
  if (usage === undefined) throw new Error(`${name} has no usage text`);
  const [word = "", group] = name.split(" ").reverse();
  const parent =
    group === undefined
      ? program
      : (program.commands.find((each) => each.name() === group) ??
        program.command(group));
  const command = parent.command(word).description(usage.does);
  command.showHelpAfterError(`usage: ${name} ${usage.values.join(" ")}`);
  for (const value of usage.values) {
    const argument = new Argument(value);
    command.addArgument(argument.argParser(parserOf(argument.name())));
    if (value === "[status]") argument.choices(Object.values(RelayStatus));
  }
  for (const [flag, means] of usage.flags) {
    const option = new Option(flag, means);
    if (option.required) option.argParser(parserOf(option.long ?? ""));
    command.addOption(option);
  }
  return command;
}

/** Returns the values and flags of a command line as fields of a request. */
function requestOf(command: Command) {
  const values = command.registeredArguments.map(
    (argument, index) =>
      [argument.name(), command.processedArgs[index]] as const,
  );
  const flags = Object.entries(command.opts()).map(
    ([name, value]) => [`--${name}`, value] as const,
  );
  return Object.fromEntries(
    [...values, ...flags]
      .filter(([, value]) => value !== undefined)
      .map(([name, value]): unknown[] => [
        fields[name]?.[0] ?? name.replace("--", ""),
        value,
      ]),
  );
}

/** Parses a value. Errors: InvalidArgumentError. */
type Parse = (text: string) => unknown;

const toText: Parse = (text) => text;

const toBigint = (text: string): bigint => {
  if (/^[0-9]{1,20}$/u.test(text)) return BigInt(text);
  throw new InvalidArgumentError("It must be 0 or a positive whole number.");
};

const toNumber: Parse = (text) => {
  const number = Number(toBigint(text));
  if (Number.isSafeInteger(number)) return number;
  throw new InvalidArgumentError("It is too large.");
};

const toLimit: Parse = (text) => {
  if (/^(?:none|[0-9]{1,78})$/u.test(text)) return text;
  throw new InvalidArgumentError(
    "It must be a whole number in the smallest unit, such as 10000000000000000 for 0.01, or none.",
  );
};

/**
 * The request field of each value or flag, and how to parse it. All others are
 * text and have the name of their field.
 */
const fields: Readonly<Record<string, readonly [string, Parse]>> = {
  audience: ["audienceId", toNumber],
  "chain id": ["chainId", toNumber],
  contact: ["contactId", toBigint],
  "--daily": ["dailyLimit", toLimit],
  "--days": ["days", toNumber],
  "--failed": ["isFailed", toText],
  "--hours": ["overlapHours", toNumber],
  "--kind": ["walletType", toText],
  "--listener": ["listenerId", toNumber],
  link: ["id", toNumber],
  "linked wallet": ["linkedWalletAddress", toText],
  listener: ["id", toNumber],
  "order id": ["orderId", toText],
  project: ["projectId", toNumber],
  relay: ["id", toNumber],
  "--request": ["requestId", toText],
  "request id": ["requestId", toText],
  sponsor: ["id", toNumber],
  wallet: ["walletAddress", toText],
};

/**
 * Returns the parser of a value. It rejects an address with a wrong checksum
 * (ERC-55), because it was probably mistyped. An address in lowercase or
 * uppercase has no checksum.
 */
function parserOf(name: string): Parse {
  return (text) => {
    const [, digits = ""] = /^0x([0-9a-f]{40})$/iu.exec(text) ?? [];
    const isMixed =
      digits !== digits.toLowerCase() && digits !== digits.toUpperCase();
    if (isMixed && !isAddress(text)) {
      throw new InvalidArgumentError("Its checksum is wrong.");
    }
    return (fields[name]?.[1] ?? toText)(text);
  };
}
