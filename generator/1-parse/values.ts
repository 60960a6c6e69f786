import type { Span } from "../source/source.js";
import type { Word } from "./ast.js";
import type { Cursor } from "./cursor.js";
import { warnNotPortable } from "./expect.js";
import type { TokenKind } from "./token.js";

const escapes: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ['"', '"'],
  ["\\", "\\"],
]);

/**
 * Reads the string at the current `"`. An unclosed string ends at the end of
 * its line.
 */
export function parseString(cursor: Cursor): Word {
  const { text } = cursor.source;
  const { start } = cursor.token;
  const lineEnd = cursor.lineEnd(start);
  let value = "";
  let isReported = false;
  let from = start + 1;
  let at = from;
  for (; at < lineEnd && text[at] !== '"'; at++) {
    if (text[at] !== "\\" || at + 1 >= lineEnd) continue;
    const meaning = escapes.get(text[at + 1] ?? "");
    if (meaning === undefined && !isReported) {
      reportEscape(cursor, { start: at, end: at + 2 });
      isReported = true;
    }
    value += text.slice(from, at) + (meaning ?? text.slice(at, at + 2));
    at++;
    from = at + 1;
  }
  value += text.slice(from, at);
  if (at < lineEnd) cursor.moveTo(at + 1);
  else closeAtLineEnd(cursor, start, lineEnd);
  return { text: value, span: cursor.spanFrom(start), isQuoted: true };
}

/** Reads the unquoted value at `span`. As in webrpc, it can contain escapes. */
export function readUnquoted(cursor: Cursor, span: Span): Word {
  refuseReturn(cursor, span);
  const text = cursor.textOf(span);
  if (!text.includes("\\")) return { text, span, isQuoted: false };
  if (!/^(?:[^\\]|\\[nt"])*$/u.test(text)) {
    warnNotPortable(cursor, span, "a backslash in an unquoted value", {
      help: `write \`${quote(text)}\``,
      replacement: { text: quote(text) },
    });
    return { text, span, isQuoted: true };
  }
  const resolved = text.replaceAll(
    /\\(.)/gu,
    (_, key: string) => escapes.get(key) ?? key,
  );
  return { text: resolved, span, isQuoted: true };
}

/** Rejects a carriage return (a broken line break) in an unquoted value. */
function refuseReturn(cursor: Cursor, span: Span): void {
  const text = cursor.textOf(span);
  if (!text.includes("\r")) return;
  cursor.error("unexpected-token", span, "a value contains a carriage return", {
    help: "remove it, or save the file with consistent line endings",
    replacement: { text: text.replaceAll("\r", "") },
  });
}

function reportEscape(cursor: Cursor, span: Span): void {
  const text = cursor.textOf(span);
  cursor.error(
    "unknown-escape",
    span,
    `unknown escape \`${text}\` in a string`,
    {
      notes: ['the valid escapes are `\\n`, `\\t`, `\\"` and `\\\\`'],
      help: "write `\\\\` for a backslash; in a pattern, you can use a character class such as `[0-9]` instead",
      replacement: { text: `\\${text}` },
    },
  );
}

function closeAtLineEnd(cursor: Cursor, start: number, end: number): void {
  cursor.error(
    "unclosed-string",
    { start, end: start + 1 },
    'this string has no closing `"` on its line',
    { help: 'close it with `"`; write `\\n` for a line break' },
  );
  cursor.moveTo(end);
}

/**
 * Reads a value that is quoted or consists of words and `/` (and `.` in paths).
 * If there is no value, reports this and returns null.
 */
export function parseLiteral(
  cursor: Cursor,
  what: string,
  kinds: readonly TokenKind[] = ["word", "/"],
  /** Returns the end of a value that should be quoted but is not. */
  endOfUnquoted: (cursor: Cursor, start: number) => number = endOfRun,
): Word | null {
  if (cursor.is('"')) return parseString(cursor);
  if (cursor.isAtLineEnd) {
    const end = cursor.previousEnd;
    cursor.error("missing-value", { start: end, end }, `expected ${what}`);
    return null;
  }
  const { start } = cursor.token;
  while (
    kinds.includes(cursor.token.kind) &&
    (cursor.isGlued || cursor.token.start === start)
  ) {
    cursor.advance();
  }
  const isComplete = cursor.previousEnd > start;
  if (!isComplete || (cursor.isGlued && !cursor.isAtLineEnd)) {
    return takeUnquoted(cursor, start, endOfUnquoted(cursor, start), what);
  }
  return readUnquoted(cursor, cursor.spanFrom(start));
}

/** Returns the offset of the next white space or the end of the line. */
export function endOfRun(cursor: Cursor, start: number): number {
  const { text } = cursor.source;
  const lineEnd = cursor.lineEnd(start);
  let end = start;
  while (end < lineEnd && text[end] !== " " && text[end] !== "\t") end++;
  return end;
}

/**
 * Moves to the end of the line's text, before any comment, and returns its
 * offset.
 */
export function endOfWords(cursor: Cursor): number {
  const { start } = cursor.token;
  while (!cursor.isAtLineEnd) cursor.advance();
  return Math.max(start, cursor.previousEnd);
}

/** Reads a value that should be quoted and reports the missing quotes. */
export function takeUnquoted(
  cursor: Cursor,
  start: number,
  end: number,
  what: string,
): Word {
  const span = { start, end };
  const text = cursor.textOf(span).trimEnd();
  span.end = start + text.length;
  cursor.moveTo(span.end);
  cursor.error("unquoted-value", span, `${what} needs quotes here`, {
    help: `write \`${quote(text)}\``,
    replacement: { text: quote(text) },
  });
  return { text, span, isQuoted: true };
}

/** Prints text as a RIDL string. */
export function quote(text: string): string {
  const escaped = text
    .replaceAll("\\", "\\\\")
    .replaceAll('"', '\\"')
    .replaceAll("\n", "\\n")
    .replaceAll("\t", "\\t");
  return `"${escaped}"`;
}
