import type { Span } from "./source.js";

/** The only part of some text that differs from an earlier version. */
export interface TextChange {
  /** The span of the earlier text that was replaced. */
  readonly span: Span;
  /** How many characters longer the text became. It can be negative. */
  readonly delta: number;
}

const block = 1024;

/** Finds the smallest part of the earlier text that was replaced. */
export function findChange(before: string, after: string): TextChange {
  const limit = Math.min(before.length, after.length);
  let start = 0;
  // Comparing blocks is many times faster than comparing characters.
  while (
    start + block <= limit &&
    before.slice(start, start + block) === after.slice(start, start + block)
  ) {
    start += block;
  }
  while (
    start < limit &&
    before.charCodeAt(start) === after.charCodeAt(start)
  ) {
    start++;
  }
  const delta = after.length - before.length;
  let end = before.length;
  while (
    end - block >= start &&
    end + delta - block >= start &&
    before.slice(end - block, end) ===
      after.slice(end + delta - block, end + delta)
  ) {
    end -= block;
  }
  while (
    end > start &&
    end + delta > start &&
    before.charCodeAt(end - 1) === after.charCodeAt(end + delta - 1)
  ) {
    end--;
  }
  return { span: { start, end }, delta };
}

/** Returns where a span of the earlier text is now, or null if it changed. */
export function moveSpan(
  { start, end }: Span,
  { span: changed, delta }: TextChange,
): Span | null {
  if (end <= changed.start) return { start, end };
  if (start < changed.end) return null;
  return { start: start + delta, end: end + delta };
}
