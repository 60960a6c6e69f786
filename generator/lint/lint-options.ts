import type { Diagnostic, Severity } from "../diagnostics/diagnostic.js";
import { categoryOf, type LintCategory } from "../diagnostics/catalog.js";
import type { LintSettings } from "./rules/rule.js";

/** The severity of a rule's findings. `off` disables the rule. */
export type RuleSeverity = Severity | "off";

/** The enabled rules and their severities. */
export interface LintOptions extends LintSettings {
  /** Rules in these categories are warnings unless `rules` overrides them. */
  readonly categories: readonly LintCategory[];
  /** Severities by code, e.g. `{ "unbounded-list": "error" }`. */
  readonly rules: Readonly<Record<string, RuleSeverity>>;
}

/** The default options, which produce few but reliable findings. */
export const defaultLintOptions: LintOptions = {
  categories: ["minimal", "security"],
  rules: {},
  int64: "number",
};

/**
 * Default severities of the checker's findings that can be configured like
 * rules. Misspelled annotations and metadata keys are errors, because authors
 * rely on them.
 */
export const checkSeverities: Readonly<Record<string, RuleSeverity>> = {
  "misplaced-key": "warning",
  "unknown-annotation": "error",
  "unknown-format": "warning",
  "unknown-import-member": "warning",
  "unknown-metadata": "error",
  "unknown-origin": "warning",
};

/** Returns the options with only the rules that can affect the exit code. */
export function withoutAdvice(options: LintOptions): LintOptions {
  const decisive = Object.entries(options.rules).filter(
    ([code, severity]) =>
      severity === "error" ||
      Object.hasOwn(checkSeverities, code) ||
      Object.hasOwn(ownSeverities, code),
  );
  return { ...options, categories: [], rules: Object.fromEntries(decisive) };
}

/** Applies the configured severity. Returns null if the rule is off. */
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

/** Default severities of rules that do not depend on the categories. */
const ownSeverities: Readonly<Partial<Record<string, RuleSeverity>>> = {
  "pattern-redos": "error",
  "unknown-word": "warning",
};

/** Codes that are errors by default. Suppressing one requires a reason. */
export const seriousCodes: ReadonlySet<string> = new Set(["pattern-redos"]);

/** Returns the severity of a rule's findings. */
export function severityOf(
  code: string,
  { categories, rules }: LintOptions,
): RuleSeverity {
  if (Object.hasOwn(rules, code)) return rules[code] ?? "off";
  const own = ownSeverities[code];
  if (own !== undefined) return own;
  const category = categoryOf(code);
  return category !== null && categories.includes(category) ? "warning" : "off";
}
