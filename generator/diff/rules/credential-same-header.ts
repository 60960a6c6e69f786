import type { Credential } from "../../ir/contract.js";
import type { BreakingRule } from "../rule.js";

/** Old clients put the credential where it is no longer looked for. */
export const credentialSameHeader: BreakingRule = {
  code: "credential-same-header",
  find: ({ credentials }) =>
    credentials.kept
      .filter(({ before, after }) => printHeader(before) !== printHeader(after))
      .map(({ before, after }) => ({
        effects: { wire: "error", "wire-strict": "error" },
        message: `\`${after.name}\` was sent as \`${printHeader(before)}\`, and is \`${printHeader(after)}\``,
        before: { kind: "type", name: before.name },
        after: { kind: "type", name: after.name },
        help: "declare a credential of another name for the new header",
      })),
};

/** Case tells no headers apart, and no schemes. */
function printHeader({ header, scheme }: Credential): string {
  const value = scheme === null ? "…" : `${scheme.toLowerCase()} …`;
  return `${header.toLowerCase()}: ${value}`;
}
