import type { Diagnostic } from "../../generator/diagnostics/diagnostic.js";
import { isLintCode } from "../../generator/diagnostics/catalog.js";

/** Diagnostics to show, and how many are hidden for each code. */
export interface FoldedAdvice {
  readonly shown: readonly Diagnostic[];
  /** Counts by code, in the order of each code's first hidden finding. */
  readonly hidden: ReadonlyMap<string, number>;
}

/** Maximum number of findings to show for each code. */
const maxShown = 5;

/** Hides advice that is repeated too often. Never hides errors. */
export function foldAdvice(diagnostics: readonly Diagnostic[]): FoldedAdvice {
  const counts = new Map<string, number>();
  const hidden = new Map<string, number>();
  const shown = diagnostics.filter(({ code, severity }) => {
    if (severity === "error" || !isLintCode(code)) return true;
    const count = (counts.get(code) ?? 0) + 1;
    counts.set(code, count);
    if (count > maxShown) hidden.set(code, count - maxShown);
    return count <= maxShown;
  });
  return { shown, hidden };
}
