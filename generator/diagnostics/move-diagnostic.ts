import type { Location, Source } from "../source/source.js";
import { moveSpan, type TextChange } from "../source/text-change.js";
import type { Diagnostic } from "./diagnostic.js";

/** The text before and after a change. */
export interface ChangedSource {
  readonly before: Source;
  readonly after: Source;
  readonly change: TextChange;
}

/**
 * Adjusts the locations of a diagnostic to a change. Returns null if the text
 * at one of them changed.
 */
export function moveDiagnostic(
  diagnostic: Diagnostic,
  changed: ChangedSource,
): Diagnostic | null {
  const { fix, location, related, ...rest } = diagnostic;
  const place = location && moveLocation(location, changed);
  const fixPlace = fix && moveLocation(fix.location, changed);
  const others = related?.map(({ label, location: other }) => ({
    label,
    location: moveLocation(other, changed),
  }));
  if (place === null || fixPlace === null) return null;
  const movedRelated = others?.flatMap(({ label, location: other }) =>
    other === null ? [] : { label, location: other },
  );
  if (movedRelated?.length !== related?.length) return null;
  return {
    ...rest,
    ...(place && { location: place }),
    ...(movedRelated && { related: movedRelated }),
    ...(fix && fixPlace && { fix: { ...fix, location: fixPlace } }),
  };
}

function moveLocation(
  location: Location,
  { after, before, change }: ChangedSource,
): Location | null {
  if (location.source !== before) return location;
  const span = moveSpan(location.span, change);
  return span && { source: after, span };
}
