import type { Fix } from "./diagnostic.js";

/** A text with fixes applied. */
export interface FixedText {
  readonly text: string;
  /** Those that were applied, in order of their places. */
  readonly applied: readonly Fix[];
}

/**
 * Applies fixes to the text that they are about. One that touches the place of
 * an earlier one is left out: what it would do there, nobody knows.
 * Line breaks come out as the text has them.
 */
export function applyFixes(text: string, fixes: readonly Fix[]): FixedText {
  const lineBreak = text.includes("\r\n") ? "\r\n" : "\n";
  const inOrder = fixes.toSorted(
    (a, b) =>
      a.location.span.start - b.location.span.start ||
      a.location.span.end - b.location.span.end,
  );
  const applied: Fix[] = [];
  let result = "";
  let offset = 0;
  for (const fix of inOrder) {
    const { start, end } = fix.location.span;
    if (applied.length > 0 && start <= offset) continue;
    result += text.slice(offset, start);
    result += fix.replacement.replaceAll("\n", lineBreak);
    offset = end;
    applied.push(fix);
  }
  return { text: result + text.slice(offset), applied };
}
