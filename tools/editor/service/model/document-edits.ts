import type { LoadedDocument } from "../../../../generator/1-parse/load/load-documents.js";
import { withLineBreaksOf } from "../../../../generator/source/line-breaks.js";
import {
  lineEndAt,
  lineStartAt,
} from "../../../../generator/source/line-index.js";
import type { DocumentEdit } from "./results.js";

/** Creates an edit with the line breaks of the document. */
export function replaceText(
  { path, syntax }: LoadedDocument,
  start: number,
  end: number,
  text: string,
): DocumentEdit {
  const replacement = withLineBreaksOf(syntax.source.text, text);
  return { path, span: { start, end }, replacement };
}

/**
 * Creates an edit that inserts lines above the line that contains an offset,
 * with the indentation of that line.
 */
export function insertAbove(
  document: LoadedDocument,
  offset: number,
  lines: readonly string[],
): DocumentEdit {
  const { text } = document.syntax.source;
  const start = lineStartAt(text, offset);
  const indent = /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? "";
  const inserted = lines.map((line) => `${indent}${line}\n`).join("");
  return replaceText(document, start, start, inserted);
}

/**
 * Creates an edit that inserts text behind what ends at an offset and, if only a
 * comment follows on the line, behind that comment.
 */
export function insertBehind(
  document: LoadedDocument,
  offset: number,
  inserted: string,
): DocumentEdit {
  const { text } = document.syntax.source;
  const lineEnd = lineEndAt(text, offset);
  const isLast = /^[ \t]*(?:#|$)/.test(text.slice(offset, lineEnd));
  const at = isLast ? lineEnd : offset;
  return replaceText(document, at, at, inserted);
}

/**
 * Creates an edit that replaces part of a document but not the text that both
 * versions start and end with. Returns an empty list if nothing changes.
 */
export function replaceChanged(
  document: LoadedDocument,
  start: number,
  end: number,
  text: string,
): readonly DocumentEdit[] {
  const before = document.syntax.source.text.slice(start, end);
  const after = withLineBreaksOf(before, text);
  if (before === after) return [];
  const limit = Math.min(before.length, after.length);
  let head = 0;
  while (head < limit && before[head] === after[head]) head++;
  let tail = 0;
  while (
    tail < limit - head &&
    before[before.length - 1 - tail] === after[after.length - 1 - tail]
  ) {
    tail++;
  }
  return [
    {
      path: document.path,
      span: { start: start + head, end: end - tail },
      replacement: after.slice(head, after.length - tail),
    },
  ];
}
