import { parametersIn } from "../../generator/ir/path-template.js";
import type { Diagnostic } from "../../generator/diagnostics/diagnostic.js";
import { suggestHelp } from "../../generator/diagnostics/suggest.js";
import type { Contract } from "../../generator/ir/contract.js";
import type { Config, NameMention } from "../config/config.js";

type NameKind = NameMention["kind"];

/**
 * Finds settings for unknown hosts and parameters. Errors: `unknown-host`,
 * `unknown-parameter`.
 */
export function findUnknownNames(
  { nameMentions }: Pick<Config, "nameMentions">,
  { hosts }: Contract,
): readonly Diagnostic[] {
  if (nameMentions.length === 0) return [];
  const addresses = nameMentions
    .filter(({ kind }) => kind === "host")
    .map(({ value }) => value);
  const paths = hosts.flatMap(({ basePath, baseUrl }) => [
    basePath.text,
    baseUrl ?? "",
  ]);
  const known: Readonly<Record<NameKind, readonly string[]>> = {
    host: hosts.map(({ name }) => name),
    parameter: [...new Set([...paths, ...addresses].flatMap(parametersIn))],
  };
  return nameMentions
    .filter(({ kind, name }) => !known[kind].includes(name))
    .map(({ kind, name, location, setting }) => ({
      code: faults[kind].code,
      severity: "error",
      message: `\`${setting}\` names \`${name}\`, which is not a ${faults[kind].what}`,
      location,
      help: "remove it",
      ...suggestName(name, known[kind], `${kind}s`),
    }));
}

const faults = {
  host: { code: "unknown-host", what: "host" },
  parameter: {
    code: "unknown-parameter",
    what: "parameter of a base path or an address",
  },
} as const satisfies Readonly<Record<NameKind, unknown>>;

/** Suggests the closest known name, or lists all of them. */
export function suggestName(
  name: string,
  names: readonly string[],
  plural: string,
): Pick<Diagnostic, "help"> {
  const close = suggestHelp(name, names);
  if (close.help !== undefined || names.length === 0) return close;
  const list = names.map((each) => `\`${each}\``).join(", ");
  return { help: `the ${plural} are ${list}` };
}
