import type { Diagnostic } from "./diagnostic.js";

/**
 * The order in which diagnostics are shown: by file, place and code; those
 * without a place come first. For `Array.sort`.
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
