import { findTightened, printLimitChange } from "../limits.js";
import { nameOf } from "../names.js";
import type { BreakingRule } from "../rule.js";

/** Old clients may send what is refused now. */
export const constraintRequestNoTighten: BreakingRule = {
  code: "constraint-request-no-tighten",
  find: ({ limits }) =>
    limits
      .filter(({ direction }) => direction === "request")
      .flatMap(({ before, after, subjects, path }) =>
        findTightened(before, after).map((limit) => ({
          effects: { wire: "error" },
          message: `requests may hold less in ${nameOf(subjects.after)}: ${printLimitChange(limit)}`,
          ...subjects,
          path,
          help: "leave the limit as it was, or make sure that nobody sends what it refuses",
        })),
      ),
};
