import type { Span } from "./source.js";

/** The only part of some text that differs from an earlier version. */
export interface TextChange {
  /** The span of the earlier text that was replaced. */
  readonly span: Span;
  /**
   * How many characters longer the text became. Negative if it became shorter.
   */
  readonly delta: number;
}

/**
 * Finds the smallest part of the earlier text that has to be replaced to get
 * the later text.
 */
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
 * Returns where a span of the earlier text is now, or null if part of it was
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
