import { findLoosened, printLimitChange } from "../limits.js";
import { nameOf } from "../names.js";
import type { BreakingRule } from "../rule.js";

/** Old clients that check responses refuse what is beyond the old limit. */
export const constraintResponseNoLoosen: BreakingRule = {
  code: "constraint-response-no-loosen",
  find: ({ limits }) =>
    limits
      .filter(({ direction }) => direction === "response")
      .flatMap(({ before, after, subjects, path }) =>
        findLoosened(before, after).map((limit) => ({
          effects: { wire: "danger" },
          message: `responses may hold more in ${nameOf(subjects.after)}: ${printLimitChange(limit)}`,
          ...subjects,
          path,
          help: "clients that check responses, or have room for no more, fail",
        })),
      ),
};
