import { findLimitChanges } from "../facts/limit-findings.js";
import type { BreakingRule } from "../facts/rule.js";

/** Whoever checks what it reads refuses what is beyond the old limit. */
export const constraintResponseNoLoosen: BreakingRule = {
  code: "constraint-response-no-loosen",
  find: (contracts) =>
    findLimitChanges(
      contracts,
      "response",
      "wider",
      "clients that check responses, or rely on the limit, fail",
    ),
};
