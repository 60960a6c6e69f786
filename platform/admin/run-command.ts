import { parseArgs } from "node:util";

import {
  type Command,
  flagsIn,
  type Output,
  type Tools,
  UsageError,
} from "./command.js";
import { commands, helpFor } from "./commands.js";

/** Flags that every command accepts. */
const globalFlags = flagsIn("[--json] [--url <url>] [--help]");

/** Opens the resources for a command. Input: the URL from `--url`, if any. */
export type OpenTools = (url: string | undefined) => Tools;

/** Runs a command line. Errors: UsageError; any error from the command. */
export async function runCommand(
  open: OpenTools,
  args: readonly string[],
): Promise<Output> {
  const { positionals, values } = parse(args);
  if (args.length === 0 || values["help"] === true) {
    const help = helpFor(positionals);
    return { text: help, value: help };
  }
  const command = commands.find(({ words }) =>
    words.every((word, index) => word === positionals[index]),
  );
  if (command === undefined) {
    const problem = `there is no command \`${positionals.slice(0, 2).join(" ")}\``;
    const group = positionals.slice(0, 1);
    const isGroup = commands.some(({ words }) => words[0] === group[0]);
    const help = isGroup ? helpFor(group) : "--help lists all commands";
    throw new UsageError(`${problem}\n\n${help}`);
  }
  const given = positionals.slice(command.words.length);
  checkValues(command, given, Object.keys(values));
  const { url } = values;
  const tools = open(typeof url === "string" ? url : undefined);
  const texts = readValues(command, given, values);
  const set = Object.keys(values).map((flag) => `--${flag}`);
  const output = await command.run(tools, texts, new Set(set));
  if (values["json"] !== true) return output;
  return { ...output, text: JSON.stringify(output.value, null, 2) };
}

type GivenFlags = Readonly<Record<string, string | boolean | undefined>>;

/**
 * Parses a command line, using the flags of all commands. Errors: UsageError.
 */
function parse(args: readonly string[]): {
  readonly positionals: readonly string[];
  readonly values: GivenFlags;
} {
  const flags = [globalFlags, ...commands.map((command) => command.flags)]
    .flatMap((each) => [...each])
    .map(([flag, name]) => {
      const type = name === null ? ("boolean" as const) : ("string" as const);
      return [flag, { type }] as const;
    });
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: Object.fromEntries(flags),
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : `${error}`);
  }
}

/**
 * Checks the values and flags on a command line. Errors: UsageError if a value
 * is missing or the command does not accept a value or flag.
 */
function checkValues(
  { flags, optional, required, usage }: Command,
  given: readonly string[],
  givenFlags: readonly string[],
): void {
  const missing = required[given.length];
  const surplus = given[required.length + optional.length];
  const foreign = givenFlags.find(
    (flag) => !flags.has(flag) && !globalFlags.has(flag),
  );
  const problem =
    missing !== undefined
      ? `<${missing}> is missing`
      : surplus !== undefined
        ? `unexpected value ${JSON.stringify(surplus)}`
        : foreign !== undefined
          ? `unexpected flag --${foreign}`
          : null;
  if (problem !== null) throw new UsageError(`${problem}\nusage: ${usage}`);
}

/** Returns the given values by their names in the usage text. */
function readValues(
  { flags, optional, required }: Command,
  given: readonly string[],
  givenFlags: GivenFlags,
): ReadonlyMap<string, string> {
  const names = [...required, ...optional];
  const texts = new Map(given.map((text, index) => [names[index] ?? "", text]));
  for (const [flag, name] of flags) {
    const value = givenFlags[flag];
    if (typeof value === "string" && name !== null) texts.set(name, value);
  }
  return texts;
}
