import { normalizePath } from "../../../../generator/1-parse/load/import-path.js";
import {
  type DocumentReader,
  type LoadedDocument,
  type LoadedDocuments,
  loadDocuments,
} from "../../../../generator/1-parse/load/load-documents.js";
import {
  reviseDocument,
  type Revision,
} from "../../../../generator/1-parse/load/revise-document.js";
import {
  createPart,
  createWorkspace,
  type PartMaterial,
  type ProgramPart,
  type Workspace,
} from "./workspace.js";
import type { Scope } from "../../../../generator/2-check/program/program.js";
import { bindScope } from "../../../../generator/2-check/program/scope.js";
import { hasSameItems } from "../../../../generator/ir/has-same-items.js";

/**
 * Stores documents. It parses a document again only when it changes, and
 * then only the part that changed.
 */
export class DocumentStore {
  readonly #reader: DocumentReader;
  readonly #open = new Map<string, string>();
  readonly #bind = createScopeCache();
  #loaded: ReadonlyMap<string, LoadedDocument> = new Map();
  /** The previous versions of documents whose text changed. */
  readonly #changed = new Map<string, LoadedDocument>();
  /** The last revisions of documents, as far as they are known. */
  readonly #revisions = new Map<string, Revision>();
  #entries: readonly string[];
  #workspace: Workspace | null = null;

  /**
   * Input: paths of listed documents, and a reader for documents that are not
   * open.
   */
  constructor(entries: readonly string[], reader: DocumentReader) {
    this.#entries = entries.map(normalizePath);
    this.#reader = reader;
  }

  /** Opens a document, or replaces its text. */
  set(path: string, text: string): void {
    const key = normalizePath(path);
    if (this.#open.get(key) === text) return;
    this.#open.set(key, text);
    this.reload(key);
  }

  /** Closes a document. */
  close(path: string): void {
    const key = normalizePath(path);
    if (this.#open.delete(key)) this.reload(key);
  }

  /** Reads a document again the next time that it is needed. */
  reload(path: string): void {
    const key = normalizePath(path);
    const before = this.#loaded.get(key);
    if (before !== undefined) this.#changed.set(key, before);
    const loaded = new Map(this.#loaded);
    loaded.delete(key);
    this.#loaded = loaded;
    this.#workspace = null;
  }

  /** Sets the documents that the configuration lists. */
  setEntries(entries: readonly string[]): void {
    this.#entries = entries.map(normalizePath);
    this.#workspace = null;
  }

  /**
   * Returns the current documents, as the same object until something changes.
   */
  get workspace(): Workspace {
    this.#workspace ??= this.#createWorkspace();
    return this.#workspace;
  }

  /** Returns a document with its imports, without parsing other documents. */
  excerptOf(path: string): ProgramPart {
    const key = normalizePath(path);
    const documents = this.#load([key]);
    const part = createPart([key], this.#materialOf(documents));
    return { ...part, isExcerpt: true };
  }

  #createWorkspace(): Workspace {
    const open = [...this.#open.keys()].sort();
    const documents = this.#load([...this.#entries, ...open]);
    this.#loaded = existing(documents);
    const material = this.#materialOf(documents);
    return createWorkspace(this.#entries, open, material);
  }

  #load(paths: readonly string[]): LoadedDocuments {
    const read = (path: string): string | null =>
      this.#open.get(path) ?? this.#reader.read(path);
    const known = new Map([...this.#loaded, ...this.#reviseChanged()]);
    const documents = loadDocuments(paths, { read }, known);
    this.#loaded = existing(new Map([...known, ...documents]));
    return documents;
  }

  #materialOf(documents: LoadedDocuments): PartMaterial {
    return {
      documents,
      bind: this.#bind,
      reader: this.#reader,
      revisionOf: (document) => {
        const revision = this.#revisions.get(document.path);
        return revision?.document === document ? revision : null;
      },
    };
  }

  #reviseChanged(): ReadonlyMap<string, LoadedDocument> {
    const revised = new Map<string, LoadedDocument>();
    for (const [path, before] of this.#changed) {
      const text = this.#open.get(path) ?? this.#reader.read(path);
      if (text === before.syntax.source.text) {
        revised.set(path, before);
        continue;
      }
      const revision = text === null ? null : reviseDocument(before, text);
      this.#revisions.delete(path);
      if (revision === null) continue;
      this.#revisions.set(path, revision);
      revised.set(path, revision.document);
    }
    this.#changed.clear();
    return revised;
  }
}

/** Leaves out missing documents, which are searched for again the next time. */
function existing(
  documents: LoadedDocuments,
): ReadonlyMap<string, LoadedDocument> {
  return new Map(
    [...documents].flatMap(([path, each]) => (each ? [[path, each]] : [])),
  );
}

interface CachedScope {
  readonly document: LoadedDocument;
  readonly imported: readonly (Scope | undefined)[];
  readonly scope: Scope;
}

/**
 * Creates a function that binds the names of documents. It binds a document
 * again only if the document or something that it imports, directly or
 * indirectly, has changed. Otherwise, it returns the same scope.
 */
function createScopeCache(): typeof bindScope {
  const known = new Map<string, CachedScope>();
  return (document, scopes) => {
    const imported = document.imports.map(({ path }) => scopes.get(path));
    const before = known.get(document.path);
    const isSame =
      before?.document === document && hasSameItems(before.imported, imported);
    if (isSame) return before.scope;
    const scope = bindScope(document, scopes);
    known.set(document.path, { document, imported, scope });
    return scope;
  };
}
