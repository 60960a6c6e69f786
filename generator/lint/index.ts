import type { CheckedContract } from "../2-check/index.js";
import { catalog, isBreakingCode, isLintCode } from "../diagnostics/catalog.js";
import { compareDiagnostics } from "../diagnostics/compare.js";
import type { Diagnostic, Diagnosed } from "../diagnostics/diagnostic.js";
import type { LintOptions } from "./lint-options.js";
import { applySeverity, seriousCodes, severityOf } from "./lint-options.js";
import { type Finding, toDiagnostic } from "../2-check/report/finding.js";
import { patternRules } from "./rules/patterns.js";
import type { LintRules } from "./rules/rule.js";
import { reportUnused } from "./rules/suppressions.js";
import type { Suppression } from "./facts/suppressions.js";
import { readSuppressions, silence } from "./facts/suppressions.js";

export type { LintOptions, RuleSeverity } from "./lint-options.js";
export { defaultLintOptions, withoutAdvice } from "./lint-options.js";
export type { LintCategory } from "../diagnostics/catalog.js";

/**
 * Loads the rules that the options can enable. The rules about patterns are
 * always loaded, because they are errors by default. `ridl generate` usually
 * needs no others.
 */
export async function loadRules({ rules }: LintOptions): Promise<LintRules> {
  const isLoaded = (code: string): boolean =>
    !isLintCode(code) || Object.hasOwn(patternRules, code);
  if (Object.keys(rules).every(isLoaded)) return patternRules;
  const { lintRules } = await import("./rules/index.js");
  return lintRules;
}

/**
 * Applies lint rules, and the comments that suppress findings. Input: the
 * result of checking a contract. Returns its diagnostics and those of the
 * rules, sorted, without suppressed ones. Only errors of lint rules can be
 * suppressed. If there is any other error, no rule is applied, because an
 * incomplete contract would cause wrong findings.
 */
export function lintContract(
  checked: Diagnosed<CheckedContract>,
  options: LintOptions,
  rules: LintRules,
): readonly Diagnostic[] {
  const findings = hasErrors(checked)
    ? []
    : applyRules(checked.value, options, rules);
  return settleFindings(checked, findings, options).sort(compareDiagnostics);
}

/** Returns the findings of the rules in a program without errors. */
export function applyRules(
  program: CheckedContract,
  options: LintOptions,
  rules: LintRules,
): readonly Diagnostic[] {
  return Object.entries(rules).flatMap(([code, find]) =>
    applyRule(code, options, () => find(program, options)),
  );
}

/**
 * Applies comments and options to findings. Input: the result of checking, and
 * the findings of rules. Returns the remaining diagnostics of both, unsorted,
 * and diagnostics about the comments.
 */
export function settleFindings(
  checked: Diagnosed<CheckedContract>,
  findings: readonly Diagnostic[],
  options: LintOptions,
): Diagnostic[] {
  const { value: program, diagnostics } = checked;
  const suppressions = readSuppressions(program);
  const warnings = diagnostics.filter(({ severity }) => severity !== "error");
  const { suppressed, used } = silence(
    [...warnings, ...findings],
    suppressions,
    seriousCodes,
  );
  const isLoud = (diagnostic: Diagnostic): boolean =>
    !suppressed.has(diagnostic);
  const kept = [
    ...diagnostics
      .filter(isLoud)
      .flatMap((each) => applySeverity(each, options) ?? []),
    ...findings.filter(isLoud),
  ];
  const unused = hasErrors(checked)
    ? []
    : suppressions.filter(
        (each) => !used.has(each) && isApplied(each, options),
      );
  const complaints = applyRule("suppression-unused", options, () =>
    unused.map(reportUnused),
  );
  return [...kept, ...complaints];
}

/**
 * Whether there are errors, because rules do not run on an incomplete contract.
 */
function hasErrors({ diagnostics }: Diagnosed<CheckedContract>): boolean {
  return diagnostics.some(({ severity }) => severity === "error");
}

function applyRule(
  code: string,
  options: LintOptions,
  find: () => readonly Finding[],
): readonly Diagnostic[] {
  const severity = severityOf(code, options);
  if (severity === "off") return [];
  return find().map((finding) => {
    const { fix, ...diagnostic } = toDiagnostic(code, severity, finding);
    // Fixes are RIDL, so they do not apply to the JSON and YAML forms.
    return fix?.location.source.path.endsWith(".ridl")
      ? { ...diagnostic, fix }
      : diagnostic;
  });
}

/**
 * Whether the rule of a comment was applied. Otherwise, the comment does not
 * count as unused: its rule may be off, unknown, or about changes, which
 * require two versions.
 */
function isApplied({ code }: Suppression, options: LintOptions): boolean {
  if (isLintCode(code)) return severityOf(code, options) !== "off";
  return Object.hasOwn(catalog, code) && !isBreakingCode(code);
}
