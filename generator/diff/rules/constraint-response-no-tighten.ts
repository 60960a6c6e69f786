import { findLimitChanges } from "../limit-findings.js";
import type { BreakingRule } from "../rule.js";

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
