import { nameOfMethod } from "../facts/names.js";
import type { BreakingRule } from "../facts/rule.js";
import { isSafer } from "../facts/safety.js";

/** New clients repeat it, or call it by GET, and an old server does not expect that. */
export const methodSafetyNoStrengthen: BreakingRule = {
  code: "method-safety-no-strengthen",
  find: ({ methods }) =>
    methods.kept
      .filter(({ before, after }) => isSafer(after.method, before.method))
      .map(({ before, after }) => ({
        effects: { "wire-strict": "error" },
        message: `${nameOfMethod(after)} is now \`@${after.method.safety}\``,
        before: before.subject,
        after: after.subject,
        help: "release the server before clients that retry such calls",
      })),
};
