import type { Finding } from "../../2-check/report/finding.js";
import type { Program } from "../../2-check/program/program.js";
import type { LintCode } from "../../diagnostics/catalogue.js";

/** What of the configuration rules depend on. */
export interface LintSettings {
  /** What generated code makes of 64-bit integers. */
  readonly int64: "number" | "bigint";
}

/** Finds one thing to advise on. A pure function; the program has no error. */
export type LintRule = (
  program: Program,
  settings: LintSettings,
) => readonly Finding[];

/** The rules of one topic by code. */
export type LintRules = Readonly<Partial<Record<LintCode, LintRule>>>;
