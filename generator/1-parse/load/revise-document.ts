import { countWhile } from "../../source/count-while.js";
import { startOf } from "../start-of.js";
import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import {
  type ChangedSource,
  moveDiagnostic,
} from "../../diagnostics/move-diagnostic.js";
import { findChange } from "../../source/text-change.js";
import type { Comment, Item } from "../ast.js";
import { parseRidl } from "../document.js";
import { maxFindings } from "../reporter.js";
import { isFormPath } from "../form-path.js";
import { type LoadedDocument, resolveImports } from "./load-documents.js";
import { shift, shiftItem } from "./shift-tree.js";

/** A document after a change, and the parts of its tree that are new. */
export interface Revision extends ChangedSource {
  /**
   * The previous document. Spans in its tree have been shifted, so do not read
   * them.
   */
  readonly earlier: LoadedDocument;
  readonly document: LoadedDocument;
  readonly removed: readonly Item[];
  /** The items that replace the removed items. */
  readonly added: readonly Item[];
}

/**
 * Parses only the declarations around a change. The spans of the declarations
 * below them are shifted in place, so the previous document must not be used
 * anymore. Returns null if the whole document has to be parsed.
 */
export function reviseDocument(
  earlier: LoadedDocument,
  text: string,
): Revision | null {
  // Some findings may be missing, which others would now make room for.
  const mayLack = earlier.diagnostics.length >= maxFindings;
  if (mayLack || isFormPath(earlier.path)) return null;
  const before = earlier.syntax.source;
  const after = { path: before.path, text };
  const changed = { before, after, change: findChange(before.text, text) };
  const region = findRegion(earlier, changed);
  if (region === null) return null;
  const { start, end, first } = region;
  const { delta } = changed.change;
  const parsed = parseRidl({
    path: before.path,
    text: text.slice(start, end + delta),
  });
  const kept = keepDiagnostics(earlier, region, changed);
  if (parsed.diagnostics.length > 0 || kept === null) return null;
  const { items } = earlier.syntax;
  const old = items.slice(first, region.stop);
  const same = findUnchanged(old, parsed.value.items, region, changed);
  if (same === null) return null;

  // Nothing may fail from here on, because the tree is modified in place.
  const added = withoutEnds(parsed.value.items, same);
  const below = items.slice(region.stop - same.below);
  for (const item of added) shiftItem(item, start);
  if (delta !== 0) for (const item of below) shiftItem(item, delta);
  const comments = reviseComments(
    earlier,
    parsed.value.comments,
    region,
    delta,
  );
  const document = resolveImports({
    value: {
      kind: "document",
      source: after,
      items: [...items.slice(0, first + same.above), ...added, ...below],
      comments,
    },
    diagnostics: kept,
  });
  const removed = withoutEnds(old, same);
  return { ...changed, earlier, document, removed, added };
}

/** Whole lines of the previous text, and the items in them. */
interface Region {
  readonly start: number;
  readonly end: number;
  readonly first: number;
  /** Index of the first item after the region. */
  readonly stop: number;
}

/**
 * Returns the region to parse again: the changed declarations, the one above
 * them, because inserted lines may belong to it, and the two below them.
 * Returns null if another declaration shares a line with the region.
 */
function findRegion(
  { syntax: { items } }: LoadedDocument,
  { before: { text }, change: { span } }: ChangedSource,
): Region | null {
  const lineAfter = (index: number): number => {
    const end = text.indexOf("\n", items[index]?.span.end);
    const next = items[index + 1];
    return next !== undefined && end < startOf(next) ? end + 1 : 0;
  };
  const changed = countWhile(items, (item) => item.span.end < span.start);
  const first = Math.max(0, changed - 1);
  const below = countWhile(items, (item) => startOf(item) <= span.end);
  const stop = Math.min(items.length, below + 2);
  const start = first === 0 ? 0 : lineAfter(first - 1);
  const end = stop === items.length ? text.length : lineAfter(stop - 1);
  // Declarations that share a line cannot be read separately.
  const isWhole = (first === 0 || start > 0) && end > 0;
  return isWhole ? { start, end, first, stop } : null;
}

/**
 * Returns the diagnostics outside the region. Returns null if the whole
 * document must be parsed again, for example because there is an error outside
 * the region, after which parsing may now resume at a different point.
 */
function keepDiagnostics(
  { diagnostics }: LoadedDocument,
  { start, end }: Region,
  changed: ChangedSource,
): readonly Diagnostic[] | null {
  const kept: Diagnostic[] = [];
  for (const each of diagnostics) {
    const at = each.location?.span.start ?? 0;
    if (at >= start && at < end) {
      // After a rejected brace, closing braces are not reported.
      if (each.severity !== "error") continue;
      const { text } = changed.before;
      if (text.includes("{", start) && text.includes("}", end)) return null;
      continue;
    }
    const moved = moveDiagnostic(each, changed);
    if (moved === null || each.severity === "error") return null;
    kept.push(moved);
  }
  return kept;
}

/** The number of unchanged items at each end of a region. */
interface Ends {
  readonly above: number;
  readonly below: number;
}

/**
 * Counts the unchanged items. Returns null if an item above the change was
 * parsed differently, or if parsing ends at a different point.
 */
function findUnchanged(
  old: readonly Item[],
  parsed: readonly Item[],
  { start, end }: Region,
  { before: { text }, change: { delta, span } }: ChangedSource,
): Ends | null {
  const isAbove = (item: Item): boolean => {
    const lineEnd = text.indexOf("\n", item.span.end);
    return lineEnd !== -1 && lineEnd < span.start;
  };
  const above = countWhile(old, isAbove);
  for (let index = 0; index < above; index++) {
    if (!isSame(old[index], parsed[index], start)) return null;
  }
  const most = Math.min(old.length, parsed.length) - above;
  let below = 0;
  while (below < most) {
    const item = old[old.length - below - 1];
    const now = parsed[parsed.length - below - 1];
    if (item === undefined || startOf(item) <= span.end) break;
    if (!isSame(item, now, start - delta)) break;
    below++;
  }
  return below === 0 && end < text.length ? null : { above, below };
}

/** Whether two items with the same text were also parsed the same way. */
function isSame(
  old: Item | undefined,
  now: Item | undefined,
  offset: number,
): boolean {
  return (
    old !== undefined &&
    now !== undefined &&
    old.kind === now.kind &&
    startOf(old) === startOf(now) + offset &&
    old.span.start === now.span.start + offset &&
    old.span.end === now.span.end + offset &&
    old.docs.length === now.docs.length &&
    old.docs.every((line, index) => line === now.docs[index])
  );
}

function withoutEnds(
  items: readonly Item[],
  { above, below }: Ends,
): readonly Item[] {
  return items.slice(above, items.length - below);
}

function reviseComments(
  { syntax: { comments } }: LoadedDocument,
  parsed: readonly Comment[],
  { start, end }: Region,
  delta: number,
): readonly Comment[] {
  const first = countWhile(comments, ({ span }) => span.start < start);
  const below = comments.slice(
    countWhile(comments, ({ span }) => span.start < end),
  );
  for (const comment of parsed) shift(comment, start);
  if (delta !== 0) for (const comment of below) shift(comment, delta);
  return [...comments.slice(0, first), ...parsed, ...below];
}
