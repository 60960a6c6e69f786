import type { Fix } from "./diagnostic.js";

/**
 * Applies fixes to the text that they refer to. A fix that overlaps an earlier
 * one is skipped, because its effect would be unpredictable. Inserted line
 * breaks have the style of the text.
 */
export function applyFixes(text: string, fixes: readonly Fix[]): string {
  const lineBreak = text.includes("\r\n") ? "\r\n" : "\n";
  const inOrder = fixes.toSorted(
    (a, b) =>
      a.location.span.start - b.location.span.start ||
      a.location.span.end - b.location.span.end,
  );
  let result = "";
  let offset = -1;
  for (const fix of inOrder) {
    const { start, end } = fix.location.span;
    if (start <= offset) continue;
    result += text.slice(Math.max(offset, 0), start);
    result += fix.replacement.replaceAll("\n", lineBreak);
    offset = end;
  }
  return result + text.slice(Math.max(offset, 0));
}
