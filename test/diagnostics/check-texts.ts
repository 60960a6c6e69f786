import type { CheckedContract } from "../../generator/2-check/index.js";
import type { BreakingOptions } from "../../tools/breaking/index.js";
import {
  reportChanges,
  defaultBreakingOptions,
} from "../../tools/breaking/index.js";
import { hasErrors } from "../../cli/report/report.js";
import type { Diagnostic } from "../../generator/diagnostics/diagnostic.js";
import type { CodeModes } from "../../tools/breaking/diff/index.js";
import { isLintCode } from "../../generator/diagnostics/catalog.js";
import { breakingRules } from "../../tools/breaking/diff/index.js";
import type { LintOptions } from "../../generator/lint/index.js";
import {
  defaultLintOptions,
  lintContract,
} from "../../generator/lint/index.js";
import { lintRules } from "../../generator/lint/rules/index.js";
import { checkDocuments } from "../support/check-documents.js";

/**
 * Checks documents given as text, and lints them on request.
 *
 * Input: text by path, and the paths of the entry documents.
 */
export function checkTexts(
  texts: ReadonlyMap<string, string>,
  entries: readonly string[],
  lint: LintOptions | null = null,
): readonly Diagnostic[] {
  const host = { read: (path: string) => texts.get(path) ?? null };
  const checked = checkDocuments(entries, host);
  return lint ? lintContract(checked, lint, lintRules) : checked.diagnostics;
}

/**
 * Returns how to lint a code's examples: with only its own rule for a lint
 * code, with the default rules for a code about suppressions, and not at all
 * for other codes.
 */
export function lintFor(code: string): LintOptions | null {
  if (code.startsWith("suppression-")) return defaultLintOptions;
  if (!isLintCode(code)) return null;
  return {
    ...defaultLintOptions,
    categories: [],
    rules: { [code]: "warning" },
  };
}

/**
 * Compares two documents that are given as text and have no errors.
 *
 * Input: the text of both, the options of the comparison, and the settings for
 * generated code.
 */
export function compareTexts(
  before: string,
  after: string,
  options: BreakingOptions = defaultBreakingOptions,
  modes?: CodeModes,
): readonly Diagnostic[] {
  return reportChanges(
    checkText("before.ridl", before),
    checkText("after.ridl", after),
    options,
    modes,
  );
}

function checkText(path: string, text: string): CheckedContract {
  const read = (asked: string): string | null => (asked === path ? text : null);
  const { value, diagnostics } = checkDocuments([path], { read });
  if (hasErrors(diagnostics)) throw new Error(JSON.stringify(diagnostics));
  return value;
}

/**
 * Returns how to compare a code's examples: with only its own rule, at its
 * default severity. The rule `deprecated-before-delete` is enabled as an error.
 */
export function compareFor(code: string): BreakingOptions {
  const others = Object.keys(breakingRules).filter((each) => each !== code);
  const isPolicy = code === "deprecated-before-delete";
  return {
    isStrict: true,
    rules: {
      ...Object.fromEntries(others.map((each) => [each, "off"] as const)),
      ...(isPolicy && { [code]: "error" as const }),
    },
  };
}

/** Returns the distinct codes of diagnostics in order. */
export function codesOf(diagnostics: readonly Diagnostic[]): readonly string[] {
  return [...new Set(diagnostics.map(({ code }) => code))];
}
