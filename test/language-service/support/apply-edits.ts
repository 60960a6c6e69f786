import type { DocumentEdit } from "../../../tools/editor/service/model/results.js";

/** Applies edits to documents. The edits must not overlap. */
export function applyEdits(
  texts: ReadonlyMap<string, string>,
  edits: readonly DocumentEdit[],
): ReadonlyMap<string, string> {
  const after = new Map(texts);
  let last = Infinity;
  let path = "";
  for (const edit of inReverse(edits)) {
    if (edit.path !== path) last = Infinity;
    ({ path } = edit);
    const { start, end } = edit.span;
    if (end > last) throw new Error(`two edits overlap at ${path}:${start}`);
    last = start;
    const text = after.get(path) ?? "";
    after.set(path, text.slice(0, start) + edit.replacement + text.slice(end));
  }
  return after;
}

function inReverse(edits: readonly DocumentEdit[]): readonly DocumentEdit[] {
  return edits.toSorted((a, b) =>
    a.path === b.path ? b.span.start - a.span.start : a.path < b.path ? -1 : 1,
  );
}
