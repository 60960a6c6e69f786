import type { ConsoleHostClient } from "../console/generated/client.js";
import type { Settings } from "../settings/read-settings.js";

/** Thrown if a command fails. The message gives the reason. */
export class CommandError extends Error {
  override readonly name: string = "CommandError";
}

/** Thrown if the command line is invalid. The message gives the reason. */
export class UsageError extends CommandError {
  override readonly name = "UsageError";
}

/** Resources for commands. Each one is opened only if a command uses it. */
export interface Tools {
  /**
   * A client for the console. Errors: CommandError if no platform is running,
   * there is no operator token, or `--url` is not a URL; SettingsError.
   */
  readonly client: ConsoleHostClient;
  /** The settings. Errors: SettingsError. */
  readonly settings: Settings;
}

/** The result of a command. */
export interface Output {
  readonly text: string;
  /** The value to print instead of the text if `--json` is given. */
  readonly value: unknown;
  /** A note to print to standard error. */
  readonly note?: string;
}

/** The values on a command line, by their names in the command's usage text. */
export interface Values<Name extends string = string> {
  /** Returns a value, or an empty string if it is missing. */
  readonly text: (name: Name) => string;
  readonly optional: (name: Name) => string | undefined;
  /**
   * Returns the value as a list with one item, or an empty list if it is
   * missing.
   */
  readonly all: (name: Name) => string[];
  /**
   * Returns a value as a number. Errors: UsageError if it is not a non-negative
   * safe integer.
   */
  readonly number: (name: Name) => number;
  readonly bigint: (name: Name) => bigint;
  /** Returns whether a value or a flag, such as `--all`, is given. */
  readonly has: (name: Name) => boolean;
}

/** An administration command for the platform. */
export interface Command {
  /**
   * The name, values and flags, e.g. `key create <project> [name] [--secret]`.
   */
  readonly usage: string;
  readonly about: string;
  /** The words of the name. */
  readonly words: readonly string[];
  readonly required: readonly string[];
  readonly optional: readonly string[];
  /**
   * The name of each flag's value, by flag, or null if the flag takes no value.
   */
  readonly flags: ReadonlyMap<string, string | null>;
  readonly run: (tools: Tools, values: Values) => Promise<Output>;
}

/** The names in angle brackets. */
type AngleBracketed<Usage extends string> =
  Usage extends `${string}<${infer Name}>${infer Rest}`
    ? Name | AngleBracketed<Rest>
    : never;

/** The contents of square brackets, such as `name` and `--all`. */
type SquareBracketed<Usage extends string> =
  Usage extends `${string}[${infer Name}]${infer Rest}`
    ? Name | SquareBracketed<Rest>
    : never;

/** Defines a command. The usage text names its values. */
export function command<const Usage extends string>(
  usage: Usage,
  about: string,
  run: (
    tools: Tools,
    values: Values<AngleBracketed<Usage> | SquareBracketed<Usage>>,
  ) => Promise<Output>,
): Command {
  const others = usage.replace(flagPattern, "");
  return {
    ...{ usage, about, run },
    words: others
      .replace(/[<[].*/u, "")
      .trim()
      .split(" "),
    required: namesIn(others, /<([^>]+)>/gu),
    optional: namesIn(others, /\[([^\]]+)\]/gu),
    flags: flagsIn(usage),
  };
}

const flagPattern = /\[--([a-z-]+)(?: <([^>]+)>)?\]/gu;

/** Returns the flags in a usage text, in the form of `Command.flags`. */
export function flagsIn(usage: string): Command["flags"] {
  const found = usage.matchAll(flagPattern);
  return new Map([...found].map(([, flag = "", name = null]) => [flag, name]));
}

function namesIn(usage: string, pattern: RegExp): readonly string[] {
  return [...usage.matchAll(pattern)].map(([, name = ""]) => name);
}

/** Returns `projectId` if the command line names a project. */
export function inProject(values: Values<"project">): {
  readonly projectId?: number;
} {
  return values.has("project") ? { projectId: values.number("project") } : {};
}
