import {
  type DocumentReader,
  loadDocuments,
  type LoadedDocuments,
} from "../../generator/1-parse/load/load-documents.js";
import type {
  Diagnostic,
  Fix,
} from "../../generator/diagnostics/diagnostic.js";
import { withLineBreaksOf } from "../../generator/source/line-breaks.js";
import { isLintCode } from "../../generator/diagnostics/catalog.js";

/** A document with its old and its new text. */
export interface ChangedDocument {
  /** Path relative to the folder of all documents. */
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** The result of applying fixes. */
export interface FixResult {
  /** The documents that changed, in path order. */
  readonly documents: readonly ChangedDocument[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * A fix can reveal another. If fixes remain after this many rounds, two fixes
 * probably undo each other.
 */
const maxRounds = 10;

/** The documents between two fixes. */
interface Draft {
  readonly documents: LoadedDocuments;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Applies the fixes that `isAllowed` selects until none is left. A fix that
 * adds errors is not applied.
 */
export function fixDocuments(
  paths: readonly string[],
  reader: DocumentReader,
  inspect: (documents: LoadedDocuments) => readonly Diagnostic[],
  isAllowed: (fix: Fix) => boolean = () => true,
): FixResult {
  const original = loadDocuments(paths, reader);
  const replace: Replace = (draft, path, text) => {
    const known = new Map(draft.documents);
    known.delete(path);
    const read = (each: string): string | null =>
      each === path ? text : reader.read(each);
    const documents = loadDocuments(paths, { read }, known);
    return { documents, diagnostics: inspect(documents) };
  };
  let draft: Draft = { documents: original, diagnostics: inspect(original) };
  for (let round = 0; round < maxRounds; round++) {
    const before = draft;
    for (const path of paths.filter((each) => each.endsWith(".ridl"))) {
      draft = improve(path, draft, isAllowed, replace);
    }
    if (draft === before) break;
  }
  const { diagnostics, documents } = draft;
  const changed = [...new Set(paths)].sort().flatMap((path) => {
    const before = textOf(path, original);
    const after = textOf(path, documents);
    return before === after ? [] : { path, before, after };
  });
  return { documents: changed, diagnostics };
}

/** Returns the draft with a new text for one document. */
type Replace = (draft: Draft, path: string, text: string) => Draft;

function textOf(path: string, documents: LoadedDocuments): string {
  return documents.get(path)?.syntax.source.text ?? "";
}

/** Applies all fixes of a document, or only those that add no errors. */
function improve(
  path: string,
  draft: Draft,
  isAllowed: (fix: Fix) => boolean,
  replace: Replace,
): Draft {
  const fixes = draft.diagnostics.flatMap(({ fix }) =>
    fix?.location.source.path === path && isAllowed(fix) ? fix : [],
  );
  const text = textOf(path, draft.documents);
  const limit = countFaults(path, draft);
  const attempt = (chosen: readonly Fix[]): Draft | null => {
    const after = applyFixes(text, chosen);
    if (after === text) return null;
    const next = replace(draft, path, after);
    return countFaults(path, next) <= limit ? next : null;
  };
  let good: readonly Fix[] = [];
  let best = draft;
  // Halves the fixes until it has found the bad ones, which are few.
  const add = (candidates: readonly Fix[]): void => {
    const chosen = [...good, ...candidates];
    const next = attempt(chosen);
    if (next !== null) {
      good = chosen;
      best = next;
    } else if (candidates.length > 1) {
      const middle = candidates.length >> 1;
      add(candidates.slice(0, middle));
      add(candidates.slice(middle));
    }
  };
  add(fixes);
  return best;
}

/**
 * Measures how broken the documents are. Syntax errors in the document count
 * most, because they hide other errors. Lint findings do not count.
 */
function countFaults(path: string, draft: Draft): number {
  const isError = ({ severity, code }: Diagnostic): boolean =>
    severity === "error" && !isLintCode(code);
  const own = draft.documents.get(path)?.diagnostics ?? [];
  return (
    own.filter(isError).length * 1_000_000 +
    draft.diagnostics.filter(isError).length
  );
}

/**
 * Applies fixes to text, with the text's own line breaks. Skips a fix that
 * overlaps or directly follows an earlier one.
 */
export function applyFixes(text: string, fixes: readonly Fix[]): string {
  const inOrder = fixes.toSorted(
    (a, b) =>
      a.location.span.start - b.location.span.start ||
      a.location.span.end - b.location.span.end,
  );
  let result = "";
  let offset = -1;
  for (const fix of inOrder) {
    const { start, end } = fix.location.span;
    if (start <= offset) continue;
    result += text.slice(Math.max(offset, 0), start);
    result += withLineBreaksOf(text, fix.replacement);
    offset = end;
  }
  return result + text.slice(Math.max(offset, 0));
}
