import type { CheckedContract } from "../2-check/index.js";
import { catalogue, isBreakingCode } from "../diagnostics/catalogue.js";
import { compareDiagnostics } from "../diagnostics/compare.js";
import type { Diagnostic, Diagnosed } from "../diagnostics/diagnostic.js";
import type { LintOptions, RuleFacts } from "./lint-options.js";
import {
  applySeverity,
  defaultLintOptions,
  severityOf,
} from "./lint-options.js";
import type { Finding } from "./facts/finding.js";
import { lintRules } from "./rules/index.js";
import { suppressionUnused } from "./rules/suppression-unused.js";
import type { Suppression } from "./facts/suppressions.js";
import { readSuppressions, silence } from "./facts/suppressions.js";

export type { LintOptions, RuleSeverity } from "./lint-options.js";
export { defaultLintOptions, withoutAdvice } from "./lint-options.js";
export type { LintCategory, LintRule } from "./rules/rule.js";
export { lintRules } from "./rules/index.js";

/**
 * Applies the lint rules, and the comments that silence findings.
 * Input: what checking a contract came to. Output: its diagnostics and those
 * of the rules, in order, without the silenced ones. Errors are never
 * silenced unless they come from a lint rule; with any other
 * error no rule is applied, because half of a contract misleads them.
 */
export function lintContract(
  { value: program, diagnostics }: Diagnosed<CheckedContract>,
  options: LintOptions = defaultLintOptions,
): readonly Diagnostic[] {
  const isFaulty = diagnostics.some(({ severity }) => severity === "error");
  const findings = isFaulty
    ? []
    : lintRules.flatMap((rule) =>
        applyRule(rule, options, () => rule.find(program, options)),
      );
  const suppressions = readSuppressions(program);
  const warnings = diagnostics.filter(({ severity }) => severity !== "error");
  const { silenced, used } = silence(
    [...warnings, ...findings],
    suppressions,
    serious,
  );
  const isLoud = (diagnostic: Diagnostic): boolean => !silenced.has(diagnostic);
  const kept = [
    ...diagnostics
      .filter(isLoud)
      .flatMap((each) => applySeverity(each, options) ?? []),
    ...findings.filter(isLoud),
  ];
  const unused = isFaulty
    ? []
    : suppressions.filter(
        (each) => !used.has(each) && isApplied(each, options),
      );
  const complaints = applyRule(suppressionUnused, options, () =>
    unused.map(suppressionUnused.explain),
  );
  return [...kept, ...complaints].sort(compareDiagnostics);
}

/** Codes whose findings are silenced only with a reason. */
const serious: ReadonlySet<string> = new Set(
  lintRules.flatMap(({ code, severity }) => (severity === "error" ? code : [])),
);

/** Whether a diagnostic with that code is advice of a lint rule. */
export function isLintCode(code: string): boolean {
  return [suppressionUnused, ...lintRules].some((rule) => rule.code === code);
}

function applyRule(
  rule: RuleFacts,
  options: LintOptions,
  find: () => readonly Finding[],
): readonly Diagnostic[] {
  const severity = severityOf(rule, options);
  if (severity === "off") return [];
  return find().map(({ fix, ...finding }) => ({
    code: rule.code,
    severity,
    ...finding,
    // Rules write RIDL; the JSON and YAML forms are left to their authors.
    ...(fix?.location.source.path.endsWith(".ridl") && { fix }),
  }));
}

/**
 * A comment about a rule that is switched off, or unknown, is not unused; nor
 * is one about a change, which one version of a contract does not show.
 */
function isApplied({ code }: Suppression, options: LintOptions): boolean {
  const rule = lintRules.find((each) => each.code === code);
  if (rule) return severityOf(rule, options) !== "off";
  return Object.hasOwn(catalogue, code) && !isBreakingCode(code);
}
