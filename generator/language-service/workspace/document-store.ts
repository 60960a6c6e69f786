import { normalizePath } from "../../1-parse/load/import-path.js";
import {
  type DocumentReader,
  type LoadedDocument,
  loadDocuments,
} from "../../1-parse/load/load-documents.js";
import { createScopeCache } from "./scope-cache.js";
import { createWorkspace, type Workspace } from "./workspace.js";

/** Keeps open documents, and parses each again only when it changes. */
export class DocumentStore {
  readonly #reader: DocumentReader;
  readonly #open = new Map<string, string>();
  readonly #bind = createScopeCache();
  #loaded: ReadonlyMap<string, LoadedDocument> = new Map();
  #entries: readonly string[];
  #workspace: Workspace | null = null;

  /** Input: paths of listed documents; what supplies those that are not open. */
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

  /** Reads a document again when it is asked for. */
  reload(path: string): void {
    const loaded = new Map(this.#loaded);
    loaded.delete(normalizePath(path));
    this.#loaded = loaded;
    this.#workspace = null;
  }

  /** Sets the documents that the configuration lists. */
  setEntries(entries: readonly string[]): void {
    this.#entries = entries.map(normalizePath);
    this.#workspace = null;
  }

  /** All documents as they are now; the same object until something changes. */
  get workspace(): Workspace {
    this.#workspace ??= this.#load();
    return this.#workspace;
  }

  #load(): Workspace {
    const open = [...this.#open.keys()].sort();
    const read = (path: string): string | null =>
      this.#open.get(path) ?? this.#reader.read(path);
    const roots = [...this.#entries, ...open];
    const documents = loadDocuments(roots, { read }, this.#loaded);
    // Documents that are gone are looked for again the next time.
    this.#loaded = new Map(
      [...documents].flatMap(([path, each]) => (each ? [[path, each]] : [])),
    );
    return createWorkspace(
      this.#entries,
      open,
      documents,
      this.#bind,
      (path) => this.#reader.faultOf?.(path) ?? null,
    );
  }
}
