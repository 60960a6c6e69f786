import type {
  LoadedDocument,
  LoadedDocuments,
} from "../../../../generator/1-parse/load/load-documents.js";
import type { Revision } from "../../../../generator/1-parse/load/revise-document.js";
import { selectEntries } from "../../../../generator/1-parse/load/select-entries.js";
import {
  type EntryReader,
  orderDocuments,
} from "../../../../generator/2-check/order-documents.js";
import { bindProgram } from "../../../../generator/2-check/program/bind.js";
import type { Program } from "../../../../generator/2-check/program/program.js";
import type { bindScope } from "../../../../generator/2-check/program/scope.js";
import type { Diagnostic } from "../../../../generator/diagnostics/diagnostic.js";

/** Documents that are checked together. */
export interface ProgramPart {
  readonly program: Program;
  /** Entries that do not exist. */
  readonly missing: readonly string[];
  /**
   * Whether the part contains only some of the documents that are checked
   * together.
   */
  readonly isExcerpt: boolean;
  /** Diagnostics about unresolved or circular imports and missing entries. */
  readonly diagnostics: readonly Diagnostic[];
  /**
   * Returns the last revision of a document, or null if it was parsed as a
   * whole.
   */
  revisionOf(document: LoadedDocument): Revision | null;
}

/** All documents at one point in time. */
export interface Workspace {
  /**
   * The documents that the configuration lists, followed by other open
   * documents.
   */
  readonly parts: readonly ProgramPart[];
  /** Returns the part that a document belongs to. */
  partOf(path: string): ProgramPart | null;
  documentAt(path: string): LoadedDocument | null;
}

/** The data from which the parts of a program are created. */
export interface PartMaterial extends Pick<ProgramPart, "revisionOf"> {
  readonly documents: LoadedDocuments;
  readonly bind: typeof bindScope;
  readonly reader: EntryReader;
}

/**
 * Divides documents into parts that are checked together: all documents that
 * the configuration lists, and each other open document with its imports.
 */
export function createWorkspace(
  listed: readonly string[],
  open: readonly string[],
  material: PartMaterial,
): Workspace {
  const { documents } = material;
  const parts: ProgramPart[] = [];
  const owners = new Map<string, ProgramPart>();
  const add = (entries: readonly string[]): void => {
    const part = createPart(entries, material);
    parts.push(part);
    for (const { path } of part.program.documents) {
      if (!owners.has(path)) owners.set(path, part);
    }
  };
  if (listed.length > 0) add(selectEntries(listed, documents));
  const others = open.filter((path) => !owners.has(path));
  for (const path of selectEntries(others, documents)) {
    if (!owners.has(path)) add([path]);
  }
  return {
    parts,
    partOf: (path) => owners.get(path) ?? null,
    documentAt: (path) => documents.get(path) ?? null,
  };
}

/** Creates a part. Input: the paths of its entries. */
export function createPart(
  entries: readonly string[],
  { documents, bind, reader, revisionOf }: PartMaterial,
): ProgramPart {
  const { value, diagnostics } = orderDocuments(entries, documents, reader);
  return {
    program: bindProgram(entries, value, bind),
    missing: entries.filter((path) => !documents.get(path)),
    isExcerpt: false,
    diagnostics,
    revisionOf,
  };
}
