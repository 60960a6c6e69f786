import { findLimitChanges } from "../facts/limit-findings.js";
import type { BreakingRule } from "../facts/rule.js";

/** New clients may send what an old server refuses. */
export const constraintRequestNoLoosen: BreakingRule = {
  code: "constraint-request-no-loosen",
  find: (contracts) =>
    findLimitChanges(
      contracts,
      "request",
      "wider",
      "release the server before clients that send more",
    ),
};
