import type { Span } from "./source.js";

/** The one part of a text that differs from an earlier version. */
export interface TextChange {
  /** What was replaced, in the earlier text. */
  readonly span: Span;
  /** How much longer the text became. */
  readonly delta: number;
}

/** Finds the smallest part that has to be replaced to get from one text to another. */
export function findChange(before: string, after: string): TextChange {
  const limit = Math.min(before.length, after.length);
  let start = 0;
  while (
    start < limit &&
    before.charCodeAt(start) === after.charCodeAt(start)
  ) {
    start++;
  }
  const delta = after.length - before.length;
  let end = before.length;
  while (
    end > start &&
    end + delta > start &&
    before.charCodeAt(end - 1) === after.charCodeAt(end + delta - 1)
  ) {
    end--;
  }
  return { span: { start, end }, delta };
}

/** Where a span of the earlier text is now; null if a part of it was replaced. */
export function moveSpan(
  { start, end }: Span,
  { span: changed, delta }: TextChange,
): Span | null {
  if (end <= changed.start) return { start, end };
  if (start < changed.end) return null;
  return { start: start + delta, end: end + delta };
}
