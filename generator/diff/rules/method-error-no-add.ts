import { refusalErrors } from "../../ir/refusal-errors.js";
import { listNames, nameOfMethod } from "../facts/names.js";
import type { BreakingRule } from "../facts/rule.js";

/** Old clients have no name for it. */
export const methodErrorNoAdd: BreakingRule = {
  code: "method-error-no-add",
  find: (contracts) =>
    contracts.methods.kept.flatMap(({ before, after }) => {
      const known = before.method.errors;
      if (known === null) return [];
      const now = after.method.errors;
      // What credentials and invalid requests are refused with has its own rules.
      const refusals = refusalErrors(after.method, contracts.after);
      const added = now?.filter(
        (name) => ![...known, ...refusals].includes(name),
      );
      if (added?.length === 0) return [];
      const what = added ? listNames(added) : "any error";
      return [
        {
          effects: { wire: "danger", "client-source": "danger" },
          message: `${nameOfMethod(after)} can now return ${what}`,
          before: before.subject,
          after: after.subject,
          help: "existing clients treat it as an unknown error; make sure that fallback is acceptable",
        },
      ];
    }),
};
