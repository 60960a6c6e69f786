import type { Diagnostic } from "../diagnostics/diagnostic.js";

/** By document, position and code, so that runs and machines agree. */
export function orderDiagnostics(
  diagnostics: readonly Diagnostic[],
): readonly Diagnostic[] {
  return [...diagnostics].sort(
    (a, b) =>
      compare(pathOf(a), pathOf(b)) ||
      startOf(a) - startOf(b) ||
      compare(a.code, b.code),
  );
}

function pathOf({ location }: Diagnostic): string {
  return location?.source.path ?? "";
}

function startOf({ location }: Diagnostic): number {
  return location?.span.start ?? 0;
}

/** By UTF-16 units: the same on every machine, unlike a locale's order. */
function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
