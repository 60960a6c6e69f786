import type { LoadedDocument } from "../../../../generator/1-parse/load/load-documents.js";
import { createLineFinder } from "../../../../generator/source/line-index.js";
import type { Span } from "../../../../generator/source/source.js";
import type { DocumentLink, FoldingRange } from "../model/results.js";

/** Lists declarations, imports and comments of more than one line. */
export function listFoldingRanges({
  syntax,
}: LoadedDocument): readonly FoldingRange[] {
  const { comments, items, source } = syntax;
  const lines = createLineFinder()(source);
  const lineOf = (offset: number): number => lines.lineOf(offset);
  const runs = (
    spans: readonly Span[],
    kind: FoldingRange["kind"],
    gap: number,
  ): readonly FoldingRange[] => {
    const found: { start: number; end: number }[] = [];
    for (const { start, end } of spans) {
      const last = found.at(-1);
      const isNext = last && lineOf(start) - lineOf(last.end) <= gap;
      if (isNext) last.end = end;
      else found.push({ start, end });
    }
    return found
      .filter(({ start, end }) => lineOf(end) > lineOf(start))
      .map((span) => ({ span, kind }));
  };
  const imports = items.filter(({ kind }) => kind === "import");
  const declared = items.filter(
    ({ kind }) => kind !== "import" && kind !== "header",
  );
  const blocks = comments.filter(({ isTrailing }) => !isTrailing);
  return [
    ...runs(spansOf(blocks), "comment", 1),
    ...runs(spansOf(imports), "imports", 2),
    ...declared.flatMap(({ span }) => runs([span], "declaration", 0)),
  ].sort((a, b) => a.span.start - b.span.start);
}

function spansOf(nodes: readonly { readonly span: Span }[]): readonly Span[] {
  return nodes.map(({ span }) => span);
}

/**
 * Lists the spans of the syntax nodes around an offset, smallest first,
 * followed by the span of the document.
 */
export function listSelectionRanges(
  { syntax }: LoadedDocument,
  offset: number,
): readonly Span[] {
  const found: Span[] = [{ start: 0, end: syntax.source.text.length }];
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    if (hasSpan(node)) {
      const { start, end } = node.span;
      if (offset < start || offset > end) return;
      const last = found.at(-1);
      if (last?.start !== start || last.end !== end) found.push({ start, end });
    }
    Object.values(node).forEach(visit);
  };
  [...syntax.items, ...syntax.comments].forEach(visit);
  return found
    .sort((a, b) => a.end - a.start - (b.end - b.start))
    .filter((span, index, all) => {
      const inner = all[index - 1];
      return !inner || (span.start <= inner.start && inner.end <= span.end);
    });
}

function hasSpan(node: object): node is { readonly span: Span } {
  return "span" in node;
}

/** Lists the paths of imports whose documents exist. */
export function listLinks(
  { imports }: LoadedDocument,
  exists: (path: string) => boolean,
): readonly DocumentLink[] {
  return imports
    .filter(({ path }) => exists(path))
    .map(({ path, syntax }) => ({ span: syntax.path.span, path }));
}
