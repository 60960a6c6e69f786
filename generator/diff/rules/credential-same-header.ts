import { pairCredentials, printHeader } from "../facts/credentials.js";
import type { ChangeEffect } from "../facts/change.js";
import type { BreakingRule } from "../facts/rule.js";

/** Old clients put the credential where it is no longer looked for. */
export const credentialSameHeader: BreakingRule = {
  code: "credential-same-header",
  find: (contracts) =>
    contracts.methods.kept.flatMap((method) => {
      const { before, after } = pairCredentials(method, contracts);
      return after.flatMap((now): readonly ChangeEffect[] => {
        const then = before.find(({ name }) => name === now.name);
        const isSame = (one: typeof now) =>
          printHeader(one) === printHeader(now);
        if (then === undefined || before.some(isSame)) return [];
        return [
          {
            effects: { wire: "error", "wire-strict": "error" },
            message: `\`${now.name}\` was sent as \`${printHeader(then)}\`, and is now \`${printHeader(now)}\``,
            before: { kind: "type", name: then.name },
            after: { kind: "type", name: now.name },
            help: "declare a credential of another name for the new header",
          },
        ];
      });
    }),
};
