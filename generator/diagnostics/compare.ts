import type { Diagnostic } from "./diagnostic.js";

/**
 * Compares diagnostics for `Array.sort`: by file, location and code. Those
 * without a location come first.
 */
export function compareDiagnostics(a: Diagnostic, b: Diagnostic): number {
  return (
    compareText(a.location?.source.path ?? "", b.location?.source.path ?? "") ||
    (a.location?.span.start ?? -1) - (b.location?.span.start ?? -1) ||
    (a.location?.span.end ?? -1) - (b.location?.span.end ?? -1) ||
    compareText(a.code, b.code) ||
    compareText(a.message, b.message)
  );
}

function compareText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
