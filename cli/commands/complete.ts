import { membersAmong } from "../../generator/ir/extra-members.js";
import { withoutInvisible } from "../../generator/4-emit/emitter/invisible.js";
import type {
  Contract,
  Field,
  TypeReference,
} from "../../generator/ir/contract.js";
import { CallFault } from "../../tools/call/call-fault.js";
import { findMethod, listMethods } from "../../tools/call/find-method.js";
import { enumValuesOf } from "../../generator/values/allowed-values.js";
import { valuesOf } from "../../generator/values/value.js";
import { exitCodes } from "../system/exit-codes.js";
import type { Output, System } from "../system/system.js";
import { withContract } from "./with-contract.js";

/** A command, as far as completion needs it. */
export interface CompletedCommand {
  readonly name: string;
  readonly description: string;
  readonly flags: readonly CompletedFlag[];
}

/** A flag of a command. */
export interface CompletedFlag {
  readonly name: string;
  readonly description: string;
  readonly takesValue: boolean;
  readonly choices: readonly string[];
}

/** A word that completes a command line, and its description. */
type Candidate = readonly [word: string, description: string];

/**
 * Prints the words that complete a command line, for the scripts of
 * `ridl completion`. The last of the given words is incomplete or empty.
 */
export async function complete(
  words: readonly string[],
  commands: readonly CompletedCommand[],
  system: System,
): Promise<number> {
  const current = words.at(-1) ?? "";
  const candidates = await candidatesFor(words, commands, system);
  for (const [word, description] of candidates) {
    const isDone = word === current && word.endsWith("=");
    if (isDone || !word.startsWith(current)) continue;
    system.stdout.write(`${word}\t${withoutInvisible(description)}\n`);
  }
  return exitCodes.success;
}

async function candidatesFor(
  [name = "", ...words]: readonly string[],
  commands: readonly CompletedCommand[],
  system: System,
): Promise<readonly Candidate[]> {
  if (words.length === 0) {
    return commands.map((each) => [each.name, each.description]);
  }
  const flags = commands.find((each) => each.name === name)?.flags ?? [];
  const flagNamed = (word: string | undefined) =>
    flags.find((flag) => flag.takesValue && flag.name === word);
  const asked = flagNamed(words.at(-2));
  if (asked !== undefined) return asked.choices.map((each) => [each, ""]);
  if (words.at(-1)?.startsWith("-") === true) {
    return flags.map((flag) => [flag.name, flag.description]);
  }
  if (name === "completion") return shells.map((shell) => [shell, ""]);
  if (name !== "call") return [];
  const before = words.slice(0, -1);
  const isValue = (index: number) => flagNamed(before[index - 1]) !== undefined;
  const [method] = before.filter(
    (word, index) => !word.startsWith("-") && !isValue(index),
  );
  const valuesAfter = (flag: string) =>
    before.filter((_, index) => before[index - 1] === flag);
  return readCandidates(
    valuesAfter("--schema"),
    valuesAfter("--config").at(-1),
    system,
    (contract) =>
      method === undefined
        ? listMethods(contract).map((each) => [
            each.name,
            each.method.docs.lines[0] ?? "",
          ])
        : fieldsOf(contract, method),
  );
}

/** The shells that `ridl completion` supports. */
export const shells: readonly string[] = ["bash", "zsh", "fish"];

/** Reads a contract without reporting its errors. */
async function readCandidates(
  patterns: readonly string[],
  config: string | undefined,
  system: System,
  read: (contract: Contract) => readonly Candidate[],
): Promise<readonly Candidate[]> {
  const silent: Output = { isTerminal: false, write: () => {} };
  let candidates: readonly Candidate[] = [];
  await withContract(
    patterns,
    config === undefined ? {} : { config },
    "text",
    { ...system, stdout: silent, stderr: silent },
    ({ contract }) => {
      candidates = read(contract);
      return exitCodes.success;
    },
  );
  return candidates;
}

function fieldsOf(contract: Contract, name: string): readonly Candidate[] {
  try {
    const { request } = findMethod(contract, name).method;
    return membersAmong(request.fields).flatMap((field) => [
      [`${field.jsonName}=`, field.docs.lines[0] ?? ""] as const,
      ...choicesOf(contract, field).map(
        (choice) => [`${field.jsonName}=${choice}`, ""] as const,
      ),
    ]);
  } catch (error) {
    if (error instanceof CallFault) return [];
    throw error;
  }
}

/** Lists the values of a field, if there are few. */
function choicesOf(
  contract: Contract,
  subject: Field | TypeReference,
): readonly string[] {
  const value = valuesOf(contract).valueOf(subject);
  switch (value.kind) {
    case "list":
      return choicesOf(contract, value.element);
    case "enum":
      return enumValuesOf(value);
    case "scalar":
      if (value.limits.enum) return value.limits.enum.map(String);
      return value.scalar === "bool"
        ? ["false", "true"]
        : (value.known?.members.map(({ jsonValue }) => jsonValue) ?? []);
    case "bytes":
    case "map":
    case "struct":
    case "union":
      return [];
  }
}
