import { checkContract } from "../../generator/2-check/index.js";
import type { Diagnostic } from "../../generator/diagnostics/diagnostic.js";
import type { LintOptions } from "../../generator/lint/index.js";
import {
  defaultLintOptions,
  lintContract,
  lintRules,
} from "../../generator/lint/index.js";

/**
 * Checks documents that are given as text, and lints them where told how.
 * Input: texts by path, and which of them are entries.
 */
export function checkTexts(
  texts: ReadonlyMap<string, string>,
  entries: readonly string[],
  lint: LintOptions | null = null,
): readonly Diagnostic[] {
  const host = { read: (path: string) => texts.get(path) ?? null };
  const checked = checkContract(entries, host);
  return lint ? lintContract(checked, lint) : checked.diagnostics;
}

/**
 * How examples of a code are linted: with its rule alone; with the usual ones
 * when it is about what they find; not at all when it is no rule's.
 */
export function lintFor(code: string): LintOptions | null {
  if (code.startsWith("suppression-")) return defaultLintOptions;
  if (!lintRules.some((rule) => rule.code === code)) return null;
  return {
    ...defaultLintOptions,
    categories: [],
    rules: { [code]: "warning" },
  };
}

/** The codes of diagnostics, each once, in order. */
export function codesOf(diagnostics: readonly Diagnostic[]): readonly string[] {
  return [...new Set(diagnostics.map(({ code }) => code))];
}
