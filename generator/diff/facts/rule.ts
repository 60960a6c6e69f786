import type { BreakingCode } from "../../diagnostics/catalogue.js";
import type { ChangeEffect } from "./change.js";
import type { PairedContracts } from "./paired-contracts.js";

/** One kind of change. Its file has the name of its code. */
export interface BreakingRule {
  readonly code: BreakingCode;
  /** A pure function. */
  readonly find: (contracts: PairedContracts) => readonly ChangeEffect[];
}
