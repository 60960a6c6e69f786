import { isAddress } from "viem";

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

/** Parses a value. Errors: UsageError. */
type Parse<Value> = (text: string, name: string) => Value;

/** Errors: UsageError if the text is not a non-negative safe integer. */
export const toNumber: Parse<number> = (text, name) => {
  const number = Number(toBigint(text, name));
  if (Number.isSafeInteger(number)) return number;
  throw new UsageError(`${name}: ${text} is too large`);
};

const toBigint: Parse<bigint> = (text, name) => {
  if (/^[0-9]{1,20}$/u.test(text)) return BigInt(text);
  throw new UsageError(`${name}: expected a number, got "${text}"`);
};

const toText: Parse<string> = (text) => text;

/** Errors: UsageError if the text is not a whole number. */
const toAmount: Parse<string> = (text, name) => {
  if (/^[0-9]{1,78}$/u.test(text)) return text;
  throw new UsageError(
    `${name}: expected a whole number in the smallest unit, such as 10000000000000000 for 0.01, got "${text}"`,
  );
};

const toLimit: Parse<string> = (text, name) =>
  text === "none" ? text : toAmount(text, name);

/**
 * Rejects an address with a wrong checksum (ERC-55), because it was probably
 * mistyped. An address in lowercase or uppercase has no checksum.
 *
 * Errors: UsageError.
 */
function refuseMistyped(text: string, name: string): void {
  const [, digits = ""] = /^0x([0-9a-f]{40})$/iu.exec(text) ?? [];
  const isMixed =
    digits !== digits.toLowerCase() && digits !== digits.toUpperCase();
  if (!isMixed || isAddress(text)) return;
  throw new UsageError(`${name}: the checksum of ${text} is wrong`);
}

/**
 * The request field of each value, by the value's name in the usage text, and
 * how to parse it. All other values are text and have the name of their field.
 */
const fields = {
  audience: ["audienceId", toNumber],
  "chain id": ["chainId", toNumber],
  contact: ["contactId", toBigint],
  days: ["days", toNumber],
  hours: ["overlapHours", toNumber],
  kind: ["walletType", toText],
  limit: ["dailyLimit", toLimit],
  link: ["id", toNumber],
  "linked wallet": ["linkedWalletAddress", toText],
  listener: ["id", toNumber],
  "listener id": ["listenerId", toNumber],
  "order id": ["orderId", toText],
  project: ["projectId", toNumber],
  relay: ["id", toNumber],
  "request id": ["requestId", toText],
  sponsor: ["id", toNumber],
  wallet: ["walletAddress", toText],
} as const;

const fieldsByName = new Map<string, readonly [string, Parse<unknown>]>(
  Object.entries(fields),
);

type Fields = typeof fields;

type Field<Name extends string> = Name extends keyof Fields
  ? Fields[Name][0]
  : Name;

type Value<Name extends string> = Name extends keyof Fields
  ? ReturnType<Fields[Name][1]>
  : string;

/** The values on a command line, as fields of requests to the console. */
export type RequestOf<Usage extends string> = {
  readonly [Name in RequiredName<Usage> as Field<Name>]: Value<Name>;
} & {
  readonly [Name in OptionalName<Usage> as Field<Name>]?: Value<Name>;
};

/** The flags without a value that are given, such as `--all`. */
export interface Flags<Name extends string> {
  readonly has: (name: Name) => boolean;
}

/** The flags without a value that a command with this usage text takes. */
export type FlagsOf<Usage extends string> = Flags<
  Extract<SquareBracketed<Usage>, `--${string}`>
>;

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
  /**
   * Input: the values by their names, and the given flags without a value.
   * Errors: UsageError; any error of the command.
   */
  readonly run: (
    tools: Tools,
    values: ReadonlyMap<string, string>,
    flags: ReadonlySet<string>,
  ) => Promise<Output>;
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

/** The usage text without what is in square brackets. */
type Mandatory<Usage extends string> =
  Usage extends `${infer Before}[${string}]${infer After}`
    ? Mandatory<`${Before}${After}`>
    : Usage;

type RequiredName<Usage extends string> = AngleBracketed<Mandatory<Usage>>;

/** The optional values, and the values of flags. */
type OptionalName<Usage extends string> =
  | Exclude<SquareBracketed<Usage>, `--${string}`>
  | AngleBracketed<SquareBracketed<Usage>>;

/** Defines a command. The usage text names its values. */
export function command<const Usage extends string>(
  usage: Usage,
  about: string,
  run: (
    tools: Tools,
    request: RequestOf<Usage>,
    flags: FlagsOf<Usage>,
  ) => Promise<Output>,
): Command {
  return defineCommand(usage, about, (tools, values, flags) =>
    run(tools, toRequest<Usage>(values), flags),
  );
}

/** Defines a command that reads its values itself. */
export function defineCommand(
  usage: string,
  about: string,
  run: Command["run"],
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

/** Errors: UsageError if a value that must be a number is not one. */
export function toRequest<Usage extends string>(
  values: ReadonlyMap<string, string>,
): RequestOf<Usage> {
  const entries = [...values].map(([name, text]) => {
    refuseMistyped(text, name);
    const [field, parse] = fieldsByName.get(name) ?? [name, toText];
    return [field, parse(text, name)];
  });
  // The usage text determines both the names of the values and this type.
  return Object.fromEntries(entries) as RequestOf<Usage>;
}
