import type { Diagnostic } from "../diagnostic.js";
import { createRangeFinder } from "./line-range.js";

/**
 * Formats diagnostics for programs, as `{ "diagnostics": [{ code, severity,
 * message, file, line, column, endLine, endColumn, label?, related, notes,
 * help?, fix? }] }`, with `null` for a missing location, and a trailing line
 * break.
 */
export function formatJson(diagnostics: readonly Diagnostic[]): string {
  const rangeOf = createRangeFinder();
  const list = diagnostics.map(
    ({ code, severity, message, location, related, fix, ...rest }) => ({
      code,
      severity,
      message,
      ...(location ? rangeOf(location) : noRange),
      ...(rest.label !== undefined && { label: rest.label }),
      related: (related ?? []).map((range) => ({
        label: range.label,
        ...rangeOf(range.location),
      })),
      notes: rest.notes ?? [],
      ...(rest.help !== undefined && { help: rest.help }),
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
