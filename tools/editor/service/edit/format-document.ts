import { startOf } from "../../../../generator/1-parse/start-of.js";
import type { Item } from "../../../../generator/1-parse/ast.js";
import { isFormPath } from "../../../../generator/1-parse/form-path.js";
import type { LoadedDocument } from "../../../../generator/1-parse/load/load-documents.js";
import { parseDocument } from "../../../../generator/1-parse/load/parse-document.js";
import {
  isPrintable,
  printDocument,
} from "../../../../generator/1-parse/print.js";
import { lineStartAt } from "../../../../generator/source/line-index.js";
import type { Span } from "../../../../generator/source/source.js";
import type { DocumentEdit } from "../model/results.js";
import { replaceChanged } from "../model/document-edits.js";

/**
 * Formats a document, or the declarations that a span touches. Documents with
 * syntax errors, text that formatting would remove, and the JSON and YAML forms
 * are left unchanged.
 */
export function formatDocument(
  document: LoadedDocument,
  within: Span | undefined,
): readonly DocumentEdit[] {
  const { isBroken, path, syntax } = document;
  if (isBroken || isFormPath(path)) return [];
  const { text } = syntax.source;
  const { start, end } = within
    ? findPart(syntax.items, within, text)
    : { start: 0, end: text.length };
  if (start === end) return [];
  const part = text.slice(start, end);
  const { value, diagnostics } = parseDocument({ path, text: part });
  return isPrintable(diagnostics)
    ? replaceChanged(document, start, end, printDocument(value))
    : [];
}

/**
 * Extends a span to whole lines and declarations, and to neighboring errors,
 * because errors are aligned. The result is empty if it has only blank lines.
 */
function findPart(items: readonly Item[], within: Span, text: string): Span {
  let first = items.findIndex(({ span }) => span.end >= within.start);
  let last = items.findLastIndex(({ span }) => span.start <= within.end);
  const isError = (index: number): boolean => items[index]?.kind === "error";
  while (isError(first) && isError(first - 1)) first--;
  while (isError(last) && isError(last + 1)) last++;
  const item = items[first];
  const start = Math.min(within.start, item ? startOf(item) : within.start);
  const end = Math.max(within.end, items[last]?.span.end ?? within.end);
  const lines = {
    start: lineStartAt(text, start),
    end: nextLineAt(text, end),
  };
  return withoutBlankEnds(lines, text);
}

/**
 * Leaves out blank lines at both ends of whole lines. They separate the part from
 * comments next to it, but printing would remove them.
 */
function withoutBlankEnds({ start, end }: Span, text: string): Span {
  const part = text.slice(start, end);
  const head = part.length - part.trimStart().length;
  if (head === part.length) return { start, end: start };
  const tail = part.trimEnd().length;
  return {
    start: lineStartAt(text, start + head),
    end: nextLineAt(text, start + tail),
  };
}

function nextLineAt(text: string, offset: number): number {
  const lineEnd = text.indexOf("\n", offset);
  return lineEnd === -1 ? text.length : lineEnd + 1;
}
