import {
  type DocumentReader,
  loadDocuments,
  type LoadedDocuments,
} from "../../1-parse/load/load-documents.js";
import { applyFixes } from "../../diagnostics/apply-fixes.js";
import type { Diagnostic, Fix } from "../../diagnostics/diagnostic.js";
import { isLintCode } from "../../diagnostics/catalogue.js";

/** A document that was repaired. */
export interface FixedDocument {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  /** Codes of what was repaired, each as often as it was. */
  readonly codes: readonly string[];
}

/** What repairing came to. */
export interface FixResult {
  /** In path order; only those that changed. */
  readonly documents: readonly FixedDocument[];
  /** What is left to be said. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Checks loaded documents. */
export type Inspect = (documents: LoadedDocuments) => readonly Diagnostic[];

/** A repair may uncover another; after so many rounds two undo each other. */
const maxRounds = 10;

/** The documents while they are repaired. */
interface Drafts {
  readonly documents: LoadedDocuments;
  readonly diagnostics: readonly Diagnostic[];
  /** Codes of what was repaired, by path. */
  readonly codes: ReadonlyMap<string, readonly string[]>;
}

/**
 * Applies the fixes of diagnostics until none is left. Each step is checked:
 * a fix after which a document has more faults than before is not applied.
 * Input: paths of the documents that may be changed; which fixes may be
 * applied.
 */
export function fixDocuments(
  paths: readonly string[],
  reader: DocumentReader,
  inspect: Inspect,
  isAllowed: (fix: Fix) => boolean = () => true,
): FixResult {
  const original = loadDocuments(paths, reader);
  const redraft: Redraft = (drafts, path, text, codes) => {
    const draft = {
      read: (each: string) => (each === path ? text : reader.read(each)),
    };
    const known = new Map(drafts.documents);
    known.delete(path);
    const documents = loadDocuments(paths, draft, known);
    return {
      documents,
      diagnostics: inspect(documents),
      codes: new Map([...drafts.codes, [path, codes]]),
    };
  };
  let drafts: Drafts = {
    documents: original,
    diagnostics: inspect(original),
    codes: new Map(),
  };
  for (let round = 0; round < maxRounds; round++) {
    const before = drafts;
    for (const path of paths.filter((each) => each.endsWith(".ridl"))) {
      drafts = improve(path, drafts, isAllowed, redraft);
    }
    if (drafts === before) break;
  }
  const { diagnostics } = drafts;
  return { documents: listChanged(original, drafts), diagnostics };
}

/** The drafts with another text of one document, and what repaired it. */
type Redraft = (
  drafts: Drafts,
  path: string,
  text: string,
  codes: readonly string[],
) => Drafts;

function listChanged(
  original: LoadedDocuments,
  { documents, codes }: Drafts,
): readonly FixedDocument[] {
  return [...codes]
    .map(([path, fixed]) => ({
      path,
      before: textOf(path, original),
      after: textOf(path, documents),
      codes: fixed,
    }))
    .filter(({ before, after }) => before !== after)
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

function textOf(path: string, documents: LoadedDocuments): string {
  return documents.get(path)?.syntax.source.text ?? "";
}

/** Applies all fixes of a document at once if that is well; else each that is. */
function improve(
  path: string,
  drafts: Drafts,
  isAllowed: (fix: Fix) => boolean,
  redraft: Redraft,
): Drafts {
  const fixable = drafts.diagnostics.filter(
    ({ fix }) => fix?.location.source.path === path && isAllowed(fix),
  );
  if (fixable.length === 0) return drafts;
  const text = textOf(path, drafts.documents);
  const limit = countFaults(path, drafts);
  const attempt = (chosen: readonly Diagnostic[]): Drafts | null => {
    const fixes = chosen.flatMap(({ fix }) => fix ?? []);
    const { text: after, applied } = applyFixes(text, fixes);
    if (after === text) return null;
    const codes = chosen
      .filter(({ fix }) => fix && applied.includes(fix))
      .map(({ code }) => code);
    const known = drafts.codes.get(path) ?? [];
    const next = redraft(drafts, path, after, [...known, ...codes]);
    return countFaults(path, next) <= limit ? next : null;
  };
  const all = attempt(fixable);
  if (all) return all;
  let good: readonly Diagnostic[] = [];
  let best = drafts;
  for (const each of fixable) {
    const next = attempt([...good, each]);
    if (next === null) continue;
    good = [...good, each];
    best = next;
  }
  return best;
}

/**
 * A measure of how broken things are. What cannot be read counts most: as long
 * as there is any of it, other faults are hidden. Advice counts nothing.
 */
function countFaults(path: string, drafts: Drafts): number {
  const isError = ({ severity, code }: Diagnostic): boolean =>
    severity === "error" && !isLintCode(code);
  const own = drafts.documents.get(path)?.diagnostics ?? [];
  return (
    own.filter(isError).length * 1_000_000 +
    drafts.diagnostics.filter(isError).length
  );
}
