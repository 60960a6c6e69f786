import type { Contract } from "../../ir/contract.js";
import type { PlacedMethod } from "../paired-contracts.js";
import { listNames, nameOfMethod } from "../names.js";
import type { BreakingRule } from "../rule.js";

/** Clients that do not know of a credential are refused. */
export const methodCredentialsNoAdd: BreakingRule = {
  code: "method-credentials-no-add",
  find: (contracts) =>
    contracts.methods.kept.flatMap(({ before, after }) => {
      const known = credentialsOf(before, contracts.before);
      const now = credentialsOf(after, contracts.after);
      const added = now.filter((name) => !known.includes(name));
      if (added.length === 0) return [];
      return [
        {
          effects: { wire: "error", "client-source": "danger" },
          message: `${nameOfMethod(after)} needs ${listNames(added)} now`,
          before: before.subject,
          after: after.subject,
          help: "accept calls without it until all clients send it",
        },
      ];
    }),
};

/** By name: that a header is called otherwise is a change of its own. */
function credentialsOf(
  { method }: PlacedMethod,
  { credentials }: Contract,
): readonly string[] {
  return credentials
    .filter(({ header }) => method.credentials.includes(header))
    .map(({ name }) => name);
}
