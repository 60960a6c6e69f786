import { refusalErrors } from "../../ir/refusal-errors.js";
import { listNames, nameOfMethod } from "../facts/names.js";
import type { BreakingRule } from "../facts/rule.js";

/** Code that asks for the error asks for what cannot be. */
export const methodErrorNoDelete: BreakingRule = {
  code: "method-error-no-delete",
  find: (contracts) =>
    contracts.methods.kept.flatMap(({ before, after }) => {
      const now = after.method.errors;
      if (now === null) return [];
      const known = before.method.errors;
      // What credentials and invalid requests are refused with has its own rules.
      const refusals = refusalErrors(before.method, contracts.before);
      const removed = known?.filter(
        (name) => ![...now, ...refusals].includes(name),
      );
      if (removed?.length === 0) return [];
      const what = removed ? listNames(removed) : "any error but those listed";
      return [
        {
          effects: { "client-source": "error" },
          message: `${nameOfMethod(after)} no longer returns ${what}`,
          before: before.subject,
          after: after.subject,
        },
      ];
    }),
};
