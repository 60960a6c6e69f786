import type { BreakingRule } from "../facts/rule.js";

/** Clients tell errors apart by their code. */
export const errorSameCode: BreakingRule = {
  code: "error-same-code",
  find: ({ errors }) =>
    errors.kept
      .filter(({ before, after }) => before.code !== after.code)
      .map(({ before, after }) => ({
        effects: {
          wire: "error",
          "wire-strict": "error",
        },
        message: `error \`${after.name}\` had the code ${before.code}, and now has ${after.code}`,
        before: { kind: "error", name: before.name },
        after: { kind: "error", name: after.name },
        help: "declare another error for the new code",
      })),
};
