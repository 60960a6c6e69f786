import type { Fix } from "./diagnostic.js";

/**
 * Applies fixes to the text that they are about. One that touches the place of
 * an earlier one is left out: what it would do there, nobody knows.
 * Line breaks come out as the text has them.
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
