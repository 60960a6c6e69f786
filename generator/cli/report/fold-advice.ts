import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import { isLintCode } from "../../diagnostics/catalogue.js";

/** Diagnostics for people, and how many of which code they are spared. */
export interface FoldedAdvice {
  readonly shown: readonly Diagnostic[];
  /** By code, in the order of the first finding. */
  readonly hidden: ReadonlyMap<string, number>;
}

/** Who has seen so many of a kind has got the idea. */
const maxShown = 5;

/** Leaves out advice that was given often enough; errors never. */
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
