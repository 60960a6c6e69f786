import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import { rememberEach } from "../../ir/remember.js";
import type { Location } from "../../source/source.js";

/**
 * Keeps only the first of several findings with the same code and locations.
 * Findings are repeated if several documents or declarations lead to the same
 * place.
 */
export function dropRepeated(
  found: readonly Diagnostic[],
): readonly Diagnostic[] {
  const seen = new Set<string>();
  return found.filter((diagnostic) => {
    const key = keyOf(diagnostic);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** A cycle has the same key regardless of where it is entered. */
const keyOf = rememberEach(({ code, location, related = [] }: Diagnostic) => {
  const places = related.map((each) => textOf(each.location));
  if (location) places.push(textOf(location));
  return `${code} ${places.sort().join(" ")}`;
});

function textOf({ source, span }: Location): string {
  return `${source.path}:${span.start}-${span.end}`;
}
