import type { Diagnostic, Severity } from "../diagnostics/diagnostic.js";
import type { LintCategory, LintRule, LintSettings } from "./rules/rule.js";

/** How bad the findings of a rule are; `off` means that it is not applied. */
export type RuleSeverity = Severity | "off";

/** Which rules are applied, and how bad their findings are. */
export interface LintOptions extends LintSettings {
  /** Rules of these are warnings unless `rules` says otherwise. */
  readonly categories: readonly LintCategory[];
  /** By code, e.g. `{ "unbounded-list": "error" }`. */
  readonly rules: Readonly<Record<string, RuleSeverity>>;
}

/** What holds where the configuration says nothing: few and sure findings. */
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

/** What of a rule decides how bad its findings are. */
export type RuleFacts = Pick<LintRule, "code" | "category" | "severity">;

/** How bad the findings of a rule are. */
export function severityOf(
  { code, category, severity }: RuleFacts,
  { categories, rules }: LintOptions,
): RuleSeverity {
  if (Object.hasOwn(rules, code)) return rules[code] ?? "off";
  return severity ?? (categories.includes(category) ? "warning" : "off");
}
