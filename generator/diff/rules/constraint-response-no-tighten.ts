import { findLimitChanges } from "../facts/limit-findings.js";
import type { BreakingRule } from "../facts/rule.js";

/** An old server may write what new readers refuse. */
export const constraintResponseNoTighten: BreakingRule = {
  code: "constraint-response-no-tighten",
  find: (contracts) =>
    findLimitChanges(
      contracts,
      "response",
      "narrower",
      "release the server before clients that rely on the limit",
    ),
};
