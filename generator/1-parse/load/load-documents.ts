import type { Diagnosed, Diagnostic } from "../../diagnostics/diagnostic.js";
import type { Location } from "../../source/source.js";
import type { Document, Import } from "../ast.js";
import { joinImportPath, normalizePath } from "./import-path.js";
import { parseDocument } from "./parse-document.js";

/** Supplies the text of each document. */
export interface DocumentReader {
  /**
   * Returns the text of a document, or null if it does not exist. Input: a
   * normalized path with `/`, e.g. `schema/common.ridl`.
   */
  read(path: string): string | null;
  /**
   * Returns why an existing document cannot be read, e.g. `it is not UTF-8
   * text`, or null for all other paths. Readers without this method either
   * throw or can read every document.
   */
  faultOf?(path: string): string | null;
  /** Returns where the configuration lists a document, or null. */
  locationOf?(path: string): Location | null;
}

/** One parsed document with its imports resolved to paths. */
export interface LoadedDocument {
  /** Normalized path, e.g. `schema/common.ridl`. */
  readonly path: string;
  readonly syntax: Document;
  readonly imports: readonly LoadedImport[];
  readonly diagnostics: readonly Diagnostic[];
  /** Whether parsing failed somewhere. If so, declarations may be missing. */
  readonly isBroken: boolean;
}

/** One import and the document that it refers to. */
export interface LoadedImport {
  readonly syntax: Import;
  /** Normalized path of the imported document. */
  readonly path: string;
}

/** Parsed documents by path, or null for a path without a document. */
export type LoadedDocuments = ReadonlyMap<string, LoadedDocument | null>;

/**
 * Reads and parses documents and everything that they import. Reuses the
 * documents in `known`, which must not have changed since they were loaded.
 */
export function loadDocuments(
  paths: readonly string[],
  reader: DocumentReader,
  known: LoadedDocuments = new Map(),
): LoadedDocuments {
  const documents = new Map<string, LoadedDocument | null>();
  const pending = new Set(paths.map(normalizePath));
  // The loop adds to the set that it iterates over, to visit transitive
  // imports.
  for (const path of pending) {
    const document = known.get(path) ?? loadDocument(path, reader);
    documents.set(path, document);
    for (const { syntax, path: target } of document?.imports ?? []) {
      // Paths such as `""` and `..` name folders, which readers do not have to
      // support.
      if (!/^[./]*$/.test(syntax.path.text)) pending.add(target);
    }
  }
  return documents;
}

function loadDocument(
  path: string,
  reader: DocumentReader,
): LoadedDocument | null {
  const text = reader.read(path);
  if (text === null) return null;
  return resolveImports(parseDocument({ path, text }));
}

/** Parses a document and resolves its imports. */
export function resolveImports({
  value: syntax,
  diagnostics,
}: Diagnosed<Document>): LoadedDocument {
  const { path } = syntax.source;
  const imports = syntax.items
    .filter((item) => item.kind === "import")
    .map((item) => ({
      syntax: item,
      path: joinImportPath(path, item.path.text),
    }));
  const isBroken = diagnostics.some(({ severity }) => severity === "error");
  return { path, syntax, imports, diagnostics, isBroken };
}
