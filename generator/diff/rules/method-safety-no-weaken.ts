import { nameOfMethod } from "../facts/names.js";
import type { BreakingRule } from "../facts/rule.js";
import { isSafer } from "../facts/safety.js";

/** Old clients go on to repeat it, or to call it by GET. */
export const methodSafetyNoWeaken: BreakingRule = {
  code: "method-safety-no-weaken",
  find: ({ methods }) =>
    methods.kept
      .filter(({ before, after }) => isSafer(before.method, after.method))
      .map(({ before, after }) => ({
        effects: { wire: "error" },
        message: `${nameOfMethod(after)} is no longer \`@${before.method.safety}\``,
        before: before.subject,
        after: after.subject,
        help: "clients retry such calls on their own; keep the annotation, or add another method",
      })),
};
