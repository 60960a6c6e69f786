import type { Severity } from "../diagnostics/diagnostic.js";
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

/** Of these options what can stop a run: the rules that are set to `error`. */
export function withoutAdvice(options: LintOptions): LintOptions {
  const errors = Object.entries(options.rules).filter(
    ([, severity]) => severity === "error",
  );
  return { ...options, categories: [], rules: Object.fromEntries(errors) };
}

/** How bad the findings of a rule are. */
export function severityOf(
  { code, category }: Pick<LintRule, "code" | "category">,
  { categories, rules }: LintOptions,
): RuleSeverity {
  if (Object.hasOwn(rules, code)) return rules[code] ?? "off";
  return categories.includes(category) ? "warning" : "off";
}
