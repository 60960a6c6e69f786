import type { Diagnostic, Severity } from "../diagnostics/diagnostic.js";
import { categoryOf, type LintCategory } from "../diagnostics/catalogue.js";
import type { LintSettings } from "./rules/rule.js";

/** Severity of a rule's findings. `off` disables the rule. */
export type RuleSeverity = Severity | "off";

/** Options of lint rules. */
export interface LintOptions extends LintSettings {
  /** Categories whose rules are warnings, unless `rules` overrides them. */
  readonly categories: readonly LintCategory[];
  /**
   * Severities of single rules by code, e.g. `{ "unbounded-list": "error" }`.
   */
  readonly rules: Readonly<Record<string, RuleSeverity>>;
}

/** The default options: few rules with reliable findings. */
export const defaultLintOptions: LintOptions = {
  categories: ["minimal", "security"],
  rules: {},
  int64: "number",
};

/**
 * Warnings of checking that can be set like rules, and how bad they are where
 * nothing is set. A near miss of a word of ours is an error: who writes it
 * relies on something that has no effect.
 */
export const checkSeverities: Readonly<Record<string, RuleSeverity>> = {
  "misplaced-key": "warning",
  "unknown-annotation": "error",
  "unknown-format": "warning",
  "unknown-import-member": "warning",
  "unknown-metadata": "error",
  "unknown-origin": "warning",
};

/** Of these options what can stop a run, or keep something from stopping it. */
export function withoutAdvice(options: LintOptions): LintOptions {
  const decisive = Object.entries(options.rules).filter(
    ([code, severity]) =>
      severity === "error" || Object.hasOwn(checkSeverities, code),
  );
  return { ...options, categories: [], rules: Object.fromEntries(decisive) };
}

/** A warning of checking, as bad as it is set to be; null when it is off. */
export function applySeverity(
  diagnostic: Diagnostic,
  { rules }: LintOptions,
): Diagnostic | null {
  const { code, severity } = diagnostic;
  if (severity !== "warning" || !Object.hasOwn(checkSeverities, code)) {
    return diagnostic;
  }
  const set = rules[code] ?? checkSeverities[code] ?? severity;
  return set === "off" ? null : { ...diagnostic, severity: set };
}

/**
 * Codes that are never advice alone: they are errors in every category, and a
 * comment that silences one has to give a reason.
 */
export const seriousCodes: ReadonlySet<string> = new Set(["pattern-redos"]);

/** How bad the findings of a rule are. */
export function severityOf(
  code: string,
  { categories, rules }: LintOptions,
): RuleSeverity {
  if (Object.hasOwn(rules, code)) return rules[code] ?? "off";
  if (seriousCodes.has(code)) return "error";
  const category = categoryOf(code);
  return category !== null && categories.includes(category) ? "warning" : "off";
}
