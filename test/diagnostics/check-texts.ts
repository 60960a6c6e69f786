import { checkContract } from "../../generator/2-check/index.js";
import type { Diagnostic } from "../../generator/diagnostics/diagnostic.js";

/**
 * Checks documents that are given as text.
 * Input: texts by path, and which of them are entries.
 */
export function checkTexts(
  texts: ReadonlyMap<string, string>,
  entries: readonly string[],
): readonly Diagnostic[] {
  const host = { read: (path: string) => texts.get(path) ?? null };
  return checkContract(entries, host).diagnostics;
}

/** The codes of diagnostics, each once, in order. */
export function codesOf(diagnostics: readonly Diagnostic[]): readonly string[] {
  return [...new Set(diagnostics.map(({ code }) => code))];
}
