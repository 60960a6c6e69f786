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
  const part = text.slice(start, end);
  const { value, diagnostics } = parseDocument({ path, text: part });
  return isPrintable(diagnostics)
    ? replaceChanged(document, start, end, printDocument(value))
    : [];
}

/**
 * Extends a span to whole lines and declarations, and to neighboring errors,
 * because errors are aligned.
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
  const lineEnd = text.indexOf("\n", end);
  return {
    start: lineStartAt(text, start),
    end: lineEnd === -1 ? text.length : lineEnd + 1,
  };
}
