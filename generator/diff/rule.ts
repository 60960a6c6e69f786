import type { BreakingCode } from "../diagnostics/catalogue.js";
import type { Finding } from "./change.js";
import type { Comparison } from "./comparison.js";

/** One kind of change. Its file has the name of its code. */
export interface BreakingRule {
  readonly code: BreakingCode;
  /** A pure function. */
  readonly find: (comparison: Comparison) => readonly Finding[];
}
