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
      help: helpWith(name, names),
    }));
}

function helpWith(name: string, names: readonly string[]): string {
  const [close] = suggest(name, names);
  return close === undefined
    ? `the hosts are ${names.map((each) => `\`${each}\``).join(", ")}`
    : `did you mean \`${close}\`?`;
}
