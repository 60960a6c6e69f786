import type { Span } from "./source.js";

/** The only part of a text that differs from an earlier version. */
export interface TextChange {
  /** The span of the earlier text that was replaced. */
  readonly span: Span;
  /** The number of characters by which the text became longer. */
  readonly delta: number;
}

/** Finds the smallest part to replace to turn one text into another. */
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

/**
 * Returns the new span of a span of the earlier text; null if part of it was
 * replaced.
 */
export function moveSpan(
  { start, end }: Span,
  { span: changed, delta }: TextChange,
): Span | null {
  if (end <= changed.start) return { start, end };
  if (start < changed.end) return null;
  return { start: start + delta, end: end + delta };
}
