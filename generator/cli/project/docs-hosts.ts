import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import { suggest } from "../../diagnostics/suggest.js";
import type { Contract } from "../../ir/contract.js";
import type { Config } from "../config/config.js";

/**
 * Addresses of the explorer for hosts that the contract does not have: they
 * would quietly do nothing.
 *
 * Errors: `unknown-docs-host`.
 */
export function findUnknownHosts(
  { docsHosts }: Config,
  { hosts }: Contract,
): readonly Diagnostic[] {
  const names = hosts.map(({ name }) => name);
  return docsHosts
    .filter(({ name }) => !names.includes(name))
    .map(({ name, location }) => ({
      code: "unknown-docs-host",
      severity: "error",
      message: `\`docs.addresses\` names \`${name}\`, which is no host`,
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
