import { isFormPath } from "../../1-parse/form-path.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import type { Fix } from "../../diagnostics/diagnostic.js";
import type { Span } from "../../source/source.js";

/**
 * Creates a fix that removes text, and its line if nothing else is on the line.
 * Returns `{}` if that could change the rest, as in JSON and YAML.
 */
export function removeFix(
  { syntax: { source } }: LoadedDocument,
  { start, end }: Span,
): { readonly fix?: Fix } {
  const { path, text } = source;
  if (isFormPath(path)) return {};
  // Stops as early as possible, because a line can be very long.
  let from = start;
  while (isBlank(text[from - 1])) from--;
  let to = end;
  while (isBlank(text[to])) to++;
  const isFirst = from === 0 || text[from - 1] === "\n";
  if (!isFirst) return replace(from, end);
  if (to === text.length || text[to] === "\n") return replace(from, to + 1);
  return text[to] === "#" ? {} : replace(start, to);

  function replace(start: number, end: number): { readonly fix: Fix } {
    const span = { start, end: Math.min(end, text.length) };
    return { fix: { location: { source, span }, replacement: "" } };
  }
}

function isBlank(character: string | undefined): boolean {
  return character === " " || character === "\t" || character === "\r";
}
