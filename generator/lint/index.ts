import type { CheckedContract } from "../2-check/index.js";
import {
  catalogue,
  isBreakingCode,
  isLintCode,
} from "../diagnostics/catalogue.js";
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
export type { LintCategory } from "../diagnostics/catalogue.js";

/**
 * Loads the rules that can be applied. Those about patterns are errors by
 * default and always there; every other run of the generator needs no more.
 */
export async function loadRules({ rules }: LintOptions): Promise<LintRules> {
  const isLoaded = (code: string): boolean =>
    !isLintCode(code) || Object.hasOwn(patternRules, code);
  if (Object.keys(rules).every(isLoaded)) return patternRules;
  const { lintRules } = await import("./rules/index.js");
  return lintRules;
}

/**
 * Applies lint rules, and the comments that silence findings.
 * Input: what checking a contract came to. Output: its diagnostics and those
 * of the rules, in order, without the silenced ones. Errors are never
 * silenced unless they come from a lint rule; with any other
 * error no rule is applied, because half of a contract misleads them.
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

/** What rules find in a program without errors. */
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
 * Applies comments and options to what was found.
 * Input: what checking came to, and what rules found. Output: what is left of
 * both, in no order, and what is to be said about the comments.
 */
export function settleFindings(
  checked: Diagnosed<CheckedContract>,
  findings: readonly Diagnostic[],
  options: LintOptions,
): Diagnostic[] {
  const { value: program, diagnostics } = checked;
  const suppressions = readSuppressions(program);
  const warnings = diagnostics.filter(({ severity }) => severity !== "error");
  const { silenced, used } = silence(
    [...warnings, ...findings],
    suppressions,
    seriousCodes,
  );
  const isLoud = (diagnostic: Diagnostic): boolean => !silenced.has(diagnostic);
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

/** Half of a contract misleads rules: no advice is given about one. */
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
    // Rules write RIDL; the JSON and YAML forms are left to their authors.
    return fix?.location.source.path.endsWith(".ridl")
      ? { ...diagnostic, fix }
      : diagnostic;
  });
}

/**
 * A comment about a rule that is switched off, or unknown, is not unused; nor
 * is one about a change, which one version of a contract does not show.
 */
function isApplied({ code }: Suppression, options: LintOptions): boolean {
  if (isLintCode(code)) return severityOf(code, options) !== "off";
  return Object.hasOwn(catalogue, code) && !isBreakingCode(code);
}
