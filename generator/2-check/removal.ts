import { isFormPath } from "../1-parse/form/form-path.js";
import type { Fix } from "../diagnostics/diagnostic.js";
import type { Span } from "../source/source.js";
import type { LoadedDocument } from "./program.js";

/**
 * Takes something out of a RIDL document, with its line when nothing else
 * stands there.
 * Output: `{}` where that could change what the rest means: in the other
 * forms, and where a comment behind it would be left alone.
 */
export function removeFix(
  { syntax: { source } }: LoadedDocument,
  { start, end }: Span,
): { readonly fix?: Fix } {
  const { path, text } = source;
  if (isFormPath(path)) return {};
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  const nextLine = text.indexOf("\n", end) + 1 || text.length;
  const before = text.slice(lineStart, start);
  const after = text.slice(end, nextLine);
  if (before.trim() !== "") {
    const from = lineStart + before.trimEnd().length;
    return { fix: replace(from, end) };
  }
  if (after.trim() === "") return { fix: replace(lineStart, nextLine) };
  if (after.trimStart().startsWith("#")) return {};
  const to = nextLine - after.trimStart().length;
  return { fix: replace(start, to) };

  function replace(from: number, to: number): Fix {
    return {
      location: { source, span: { start: from, end: to } },
      replacement: "",
    };
  }
}
