import type { Program } from "../../2-check/program/program.js";
import type { LintCode } from "../../diagnostics/catalogue.js";
import type { Finding } from "../facts/finding.js";

/** Rules that are switched on together. Source: docs/lint.md. */
export type LintCategory =
  "minimal" | "security" | "standard" | "comments" | "guesses";

/** What of the configuration rules depend on. */
export interface LintSettings {
  /** What generated code makes of 64-bit integers. */
  readonly int64: "number" | "bigint";
}

/**
 * One thing that is advised. Its file has the name of its code.
 */
export interface LintRule {
  readonly code: LintCode;
  readonly category: LintCategory;
  /**
   * `error` for what is never advice alone: it holds in every category, and a
   * comment that silences it has to give a reason.
   */
  readonly severity?: "error";
  /** A pure function; the program has no error. */
  readonly find: (
    program: Program,
    settings: LintSettings,
  ) => readonly Finding[];
}
