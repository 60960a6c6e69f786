import type { LineIndex } from "../source/line-index.js";
import type { Span } from "../source/source.js";
import { toPrintable, widthOf } from "./text-width.js";

/** Lines of up to this many characters are shown in full. */
const maxLineLength = 120;
/** Number of characters shown before and after the mark in a longer line. */
const context = 40;

/** A line of a source, ready to be shown, with one marked range. */
export interface Excerpt {
  /** The number of the line, 1-based. */
  readonly line: number;
  readonly text: string;
  /** Columns before the mark. */
  readonly indent: number;
  /** Columns of the mark, at least 1. */
  readonly width: number;
}

/** Returns the line of the source where `span` begins. */
export function createExcerpt(
  text: string,
  lines: LineIndex,
  span: Span,
): Excerpt {
  const line = lines.lineOf(span.start);
  const window = cropLine(text, lines, line, span);
  const start = Math.min(Math.max(span.start, window.start), window.end);
  const end = Math.min(Math.max(span.end, start), window.end);
  const prefix = window.isCutBefore ? "…" : "";
  return {
    line,
    text:
      prefix +
      toPrintable(text.slice(window.start, window.end)) +
      (window.isCutAfter ? "…" : ""),
    indent: widthOf(prefix + text.slice(window.start, start)),
    width: Math.max(1, widthOf(text.slice(start, end))),
  };
}

interface Window extends Span {
  readonly isCutBefore: boolean;
  readonly isCutAfter: boolean;
}

/**
 * Returns the visible part of a line. For a long line, this is only the text
 * around the span.
 */
function cropLine(
  text: string,
  lines: LineIndex,
  line: number,
  span: Span,
): Window {
  const lineStart = lines.startOf(line);
  const lineEnd = lines.endOf(line);
  const isShort = lineEnd - lineStart <= maxLineLength;
  const firstEnd = Math.min(span.end, span.start + maxLineLength - context);
  const start = isShort ? lineStart : Math.max(lineStart, span.start - context);
  const end = isShort ? lineEnd : Math.min(lineEnd, firstEnd + context);
  return {
    start: isInsidePair(text, start) ? start - 1 : start,
    end: isInsidePair(text, end) ? end + 1 : end,
    isCutBefore: start > lineStart,
    isCutAfter: end < lineEnd,
  };
}

/** Whether `offset` falls between the halves of a surrogate pair. */
function isInsidePair(text: string, offset: number): boolean {
  return (text.codePointAt(offset - 1) ?? 0) > 0xffff;
}
