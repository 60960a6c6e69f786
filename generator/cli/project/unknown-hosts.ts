import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import { suggest } from "../../diagnostics/suggest.js";
import type { Contract } from "../../ir/contract.js";
import type { Config } from "../config/config.js";

/**
 * Finds settings for hosts that the contract does not have, which would quietly
 * do nothing.
 *
 * Errors: `unknown-host`.
 */
export function findUnknownHosts(
  { hostMentions }: Config,
  { hosts }: Contract,
): readonly Diagnostic[] {
  const names = hosts.map(({ name }) => name);
  return hostMentions
    .filter(({ name }) => !names.includes(name))
    .map(({ name, location, setting }) => ({
      code: "unknown-host",
      severity: "error",
      message: `\`${setting}\` names \`${name}\`, which is no host`,
      location,
      ...suggestName(name, names, "hosts"),
    }));
}

/** Suggests the nearest of the names that there are, or lists them. */
export function suggestName(
  name: string,
  names: readonly string[],
  plural: string,
): Pick<Diagnostic, "help"> {
  const [close] = suggest(name, names);
  if (close !== undefined) return { help: `did you mean \`${close}\`?` };
  if (names.length === 0) return {};
  const list = names.map((each) => `\`${each}\``).join(", ");
  return { help: `the ${plural} are ${list}` };
}
