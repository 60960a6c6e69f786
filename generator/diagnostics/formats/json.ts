import type { Diagnostic } from "../diagnostic.js";
import { createRangeFinder } from "./line-range.js";

/**
 * Formats diagnostics for programs, as `{ "diagnostics": [{ code, severity,
 * message, file, line, column, endLine, endColumn, related, notes, help?, fix?
 * }] }`, with `null` for a missing location, and a trailing line break.
 */
export function formatJson(diagnostics: readonly Diagnostic[]): string {
  const rangeOf = createRangeFinder();
  const list = diagnostics.map(
    ({ code, severity, message, location, related, notes, help, fix }) => ({
      code,
      severity,
      message,
      ...(location ? rangeOf(location) : noRange),
      related: (related ?? []).map((range) => ({
        label: range.label,
        ...rangeOf(range.location),
      })),
      notes: notes ?? [],
      ...(help !== undefined && { help }),
      ...(fix && {
        fix: {
          ...rangeOf(fix.location),
          replacement: fix.replacement,
          ...(fix.changesContract && { changesContract: true }),
        },
      }),
    }),
  );
  return `${JSON.stringify({ diagnostics: list }, null, 2)}\n`;
}

const noRange = {
  file: null,
  line: null,
  column: null,
  endLine: null,
  endColumn: null,
} as const;
