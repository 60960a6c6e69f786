import type { CheckedContract } from "../2-check/index.js";
import { catalog, isBreakingCode, isLintCode } from "../diagnostics/catalog.js";
import {
  compareDiagnostics,
  type Diagnostic,
  type Diagnosed,
} from "../diagnostics/diagnostic.js";
import {
  type LintOptions,
  applySeverity,
  seriousCodes,
  severityOf,
} from "./lint-options.js";
import { type Finding, toDiagnostic } from "../2-check/report/finding.js";
import { patternRules } from "./rules/patterns.js";
import { wordRules } from "./rules/words.js";
import type { LintRules } from "./rules/rule.js";
import { reportUnused } from "./rules/suppressions.js";
import {
  type Suppression,
  readSuppressions,
  silence,
} from "./facts/suppressions.js";

export type { LintOptions, RuleSeverity } from "./lint-options.js";
export { defaultLintOptions, withoutAdvice } from "./lint-options.js";
export type { LintCategory } from "../diagnostics/catalog.js";

/** Rules that are not only advice, so that all commands apply them. */
const ownRules: LintRules = { ...patternRules, ...wordRules };

/**
 * Loads the rules that severities can enable, without any categories, and those
 * that have a severity of their own.
 */
export async function loadRules(
  rules: LintOptions["rules"],
): Promise<LintRules> {
  const isLoaded = (code: string): boolean =>
    !isLintCode(code) || Object.hasOwn(ownRules, code);
  if (Object.keys(rules).every(isLoaded)) return ownRules;
  const { lintRules } = await import("./rules/index.js");
  return lintRules;
}

/**
 * Applies lint rules, and the comments that suppress findings. Input: the
 * result of checking a contract. Returns its diagnostics and those of the
 * rules, sorted, excluding suppressed ones. Of the errors, only those whose
 * severity can be configured can be suppressed. If there is any other error, no
 * rule is applied, because an incomplete contract would cause wrong findings.
 */
export function lintContract(
  checked: Diagnosed<CheckedContract>,
  options: LintOptions,
  rules: LintRules,
): readonly Diagnostic[] {
  const { value: program, diagnostics } = checked;
  const isComplete = diagnostics.every(({ severity }) => severity !== "error");
  const advice = isComplete ? applyRules(program, options, rules) : [];
  const { documents } = program;
  const findings = { documents, diagnostics, advice, isComplete };
  return settleFindings(findings, options).sort(compareDiagnostics);
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

/** The findings in some documents. */
interface Findings extends Pick<CheckedContract, "documents"> {
  /** Diagnostics of the parser and of checks. */
  readonly diagnostics: readonly Diagnostic[];
  /** Findings of lint rules. */
  readonly advice: readonly Diagnostic[];
  /** Whether all rules were applied, so that unused comments are known. */
  readonly isComplete: boolean;
}

/**
 * Applies comments and options to findings. Returns the remaining diagnostics,
 * unsorted, and those about the comments.
 */
export function settleFindings(
  { documents, diagnostics, advice, isComplete }: Findings,
  options: LintOptions,
): Diagnostic[] {
  const suppressions = readSuppressions(documents);
  const warnings = diagnostics.filter(({ severity }) => severity !== "error");
  const { suppressed, used } = silence(
    [...warnings, ...advice],
    suppressions,
    (reason, { code }) => reason !== "" || !seriousCodes.has(code),
  );
  const isLoud = (diagnostic: Diagnostic): boolean =>
    !suppressed.has(diagnostic);
  const kept = [
    ...diagnostics
      .filter(isLoud)
      .flatMap((each) => applySeverity(each, options) ?? []),
    ...advice.filter(isLoud),
  ];
  const unused = suppressions.filter(
    (each) => isComplete && !used.has(each) && isApplied(each, options),
  );
  const complaints = applyRule("suppression-unused", options, () =>
    unused.map(reportUnused),
  );
  return [...kept, ...complaints];
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
 * Whether the rule of a comment was applied. If not, the comment is not
 * reported as unused.
 */
function isApplied({ code }: Suppression, options: LintOptions): boolean {
  if (isLintCode(code)) return severityOf(code, options) !== "off";
  return Object.hasOwn(catalog, code) && !isBreakingCode(code);
}
