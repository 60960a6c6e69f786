import type { Diagnostic } from "../../generator/diagnostics/diagnostic.js";
import type { LintOptions } from "../../generator/lint/index.js";
import {
  defaultLintOptions,
  lintContract,
} from "../../generator/lint/index.js";
import { lintRules } from "../../generator/lint/rules/index.js";
import { checkDocuments } from "../support/check-documents.js";

/**
 * Lints one document, or several by path. The first of several is the entry
 * document.
 */
export function lintText(
  input: string | Readonly<Record<string, string>>,
  options: Partial<LintOptions> = {},
): readonly Diagnostic[] {
  const texts = typeof input === "string" ? { "a.ridl": input } : input;
  const read = (path: string): string | null =>
    Object.hasOwn(texts, path) ? (texts[path] ?? null) : null;
  const entries = Object.keys(texts).slice(0, 1);
  return lintContract(
    checkDocuments(entries, { read }),
    { ...defaultLintOptions, ...options },
    lintRules,
  );
}

/** Returns `code@line` for each diagnostic in order. */
export function placesOf(diagnostics: readonly Diagnostic[]): string[] {
  return diagnostics.map(({ code, location }) => {
    const before = location?.source.text.slice(0, location.span.start) ?? "";
    return `${code}@${before.split("\n").length}`;
  });
}
