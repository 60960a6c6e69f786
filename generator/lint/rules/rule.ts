import type { Finding } from "../../2-check/report/finding.js";
import type { Program } from "../../2-check/program/program.js";
import type { LintCode } from "../../diagnostics/catalog.js";

/** The settings that rules depend on. */
export interface LintSettings {
  /** The type of 64-bit integers in generated code. */
  readonly int64: "number" | "bigint";
  /**
   * Annotations and metadata keys of other tools, e.g. `["http"]` (default:
   * none).
   */
  readonly words?: readonly string[];
}

/** Finds one kind of problem, as a pure function of a valid program. */
export type LintRule = (
  program: Program,
  settings: LintSettings,
) => readonly Finding[];

/** The rules of one topic, by code. */
export type LintRules = Readonly<Partial<Record<LintCode, LintRule>>>;
