import { findLimitChanges } from "../facts/limit-findings.js";
import type { BreakingRule } from "../facts/rule.js";

/** Old clients may send what is refused now. */
export const constraintRequestNoTighten: BreakingRule = {
  code: "constraint-request-no-tighten",
  find: (contracts) =>
    findLimitChanges(
      contracts,
      "request",
      "narrower",
      "keep the limit, or make sure that no client sends what it refuses",
    ),
};
