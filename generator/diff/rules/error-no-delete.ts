import { isCodeTaken } from "../facts/error-codes.js";
import type { BreakingRule } from "../facts/rule.js";

/** Code that asks for the error does not compile. */
export const errorNoDelete: BreakingRule = {
  code: "error-no-delete",
  find: (contracts) =>
    contracts.errors.removed
      .filter((error) => !isCodeTaken(error, contracts))
      .map(({ name, code }) => ({
        effects: {
          wire: "danger",
          "client-source": "error",
          "server-source": "error",
        },
        message: `error \`${name}\` (${code}) was removed`,
        before: { kind: "error", name },
        after: null,
        help: "keep it until no client checks for it",
      })),
};
