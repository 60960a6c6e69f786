import { normalizePath } from "./import-path.js";
import {
  type DocumentReader,
  type LoadedDocument,
  loadDocuments,
  type LoadedDocuments,
} from "./load-documents.js";

/** The documents of a project, and which of them are entries. */
export interface LoadedEntries {
  readonly entries: readonly string[];
  readonly documents: LoadedDocuments;
}

/** Loads the documents that a project lists and everything that they import. */
export function loadEntries(
  listed: readonly string[],
  reader: DocumentReader,
): LoadedEntries {
  const documents = loadDocuments(listed, reader);
  return { entries: selectEntries(listed, documents), documents };
}

/**
 * Returns the listed documents that are entries of the contract. A document
 * that has no services and is imported by another document is not an entry: it
 * contributes only types and errors. Missing documents are kept for the checker
 * to report, and so is one document of each import cycle.
 *
 * Input: paths in the order of the configuration, e.g. the matches of
 * `schema/*.ridl`. The result has the same order.
 */
export function selectEntries(
  listed: readonly string[],
  documents: LoadedDocuments,
): readonly string[] {
  const imported = importedPaths(documents);
  const isLender = (path: string): boolean => {
    const document = documents.get(normalizePath(path));
    return !!document && !hasServices(document) && imported.has(document.path);
  };
  const entries = new Set<string>();
  const reached = new Set<string>();
  const add = (path: string): void => {
    entries.add(path);
    addReached(normalizePath(path), documents, reached);
  };
  listed.filter((path) => !isLender(path)).forEach(add);
  for (const path of listed) if (!reached.has(normalizePath(path))) add(path);
  return listed.filter((path) => entries.has(path));
}

function addReached(
  path: string,
  documents: LoadedDocuments,
  reached: Set<string>,
): void {
  const pending = [path];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (reached.has(next)) continue;
    reached.add(next);
    pending.push(
      ...(documents.get(next)?.imports ?? []).map((each) => each.path),
    );
  }
}

/** Paths that at least one of the documents imports. */
export function importedPaths(documents: LoadedDocuments): ReadonlySet<string> {
  const paths = [...documents.values()].flatMap((document) =>
    (document?.imports ?? []).map(({ path }) => path),
  );
  return new Set(paths);
}

function hasServices({ syntax }: LoadedDocument): boolean {
  return syntax.items.some((item) => item.kind === "service");
}
