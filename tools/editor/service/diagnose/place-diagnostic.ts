import type { Diagnostic } from "../../../../generator/diagnostics/diagnostic.js";
import { rememberEach } from "../../../../generator/ir/remember.js";
import type { Location } from "../../../../generator/source/source.js";
import type { DocumentRange, PlacedDiagnostic } from "../model/results.js";

/**
 * Replaces the sources of a diagnostic with their paths. Returns the same
 * object for the same diagnostic, so that callers can detect new diagnostics.
 */
export const placeDiagnostic = rememberEach(place);

function place(diagnostic: Diagnostic): PlacedDiagnostic {
  const { code, severity, message, location, help, fix } = diagnostic;
  const { start = 0, end = 0 } = location?.span ?? {};
  return {
    code,
    severity,
    message,
    span: { start, end },
    related: (diagnostic.related ?? []).map((each) => ({
      place: placeOf(each.location),
      label: each.label,
    })),
    notes: diagnostic.notes ?? [],
    ...(help !== undefined && { help }),
    ...(fix && {
      fix: {
        edit: { ...placeOf(fix.location), replacement: fix.replacement },
        changesContract: fix.changesContract ?? false,
      },
    }),
  };
}

/** Converts a location to a place. */
export function placeOf({ source, span }: Location): DocumentRange {
  return { path: source.path, span };
}
