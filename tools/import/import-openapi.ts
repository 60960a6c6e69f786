import type { Diagnostic } from "../../generator/diagnostics/diagnostic.js";
import { mapDocument } from "./map/map-document.js";
import { NoteLog, toDiagnostics } from "./notes/note.js";
import { printValidModel } from "./print/print-valid-model.js";
import { type FileReader, DocumentFiles } from "./read/document-files.js";
import type { DocumentPart } from "./read/document-part.js";

/** The result of an import. */
export interface Imported {
  /**
   * The RIDL documents by the names of their files, or null after errors in the
   * document. The first has the services of the API's first server.
   */
  readonly documents: ReadonlyMap<string, string> | null;
  /** Errors in the document, and numbered notes. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Turns an OpenAPI document into RIDL. Input: the name of the document in its
 * folder, e.g. `openapi.yaml`, a reader of the files in this folder, and the name
 * of the first RIDL file without `.ridl`. With `isStrict`, notes about the wire
 * and about values are errors.
 */
export function importOpenapi(
  name: string,
  read: FileReader,
  stem: string,
  isStrict = false,
): Imported {
  const library = new DocumentFiles(read);
  const document = library.open(name, null);
  const fault = document && findFault(document);
  if (document === null || fault !== null) {
    const found = fault === null ? [] : [fault];
    return { documents: null, diagnostics: [...library.faults, ...found] };
  }
  return writeModel(document, library, mapDocument, stem, isStrict);
}

/** Maps a document, and writes what it becomes as RIDL. */
export function writeModel(
  document: DocumentPart,
  library: DocumentFiles,
  map: typeof mapDocument,
  stem: string,
  isStrict: boolean,
): Imported {
  const notes = new NoteLog();
  const model = map(document, library, notes);
  if (library.faults.length > 0) {
    return { documents: null, diagnostics: library.faults };
  }
  const documents = printValidModel(model, stem, notes);
  const diagnostics = toDiagnostics(notes.list(), isStrict);
  if (documents !== null) return { documents, diagnostics };
  const failure = fail(document, "the document cannot be written as RIDL");
  return { documents, diagnostics: [...diagnostics, failure] };
}

/** Finds out why a document is not OpenAPI 3. */
function findFault(document: DocumentPart): Diagnostic | null {
  const version = document.textOf("openapi");
  const old = document.get("swagger");
  if (old !== null) {
    const message = `unknown version \`${old.text ?? ""}\` of Swagger`;
    return fail(old, message, "ridlkit reads Swagger 2.0");
  }
  if (version === null) {
    const help = "the document needs a key `openapi`, e.g. `openapi: 3.1.0`";
    return fail(document, "the document is not OpenAPI", help);
  }
  if (!/^3\.[0-2](?:\.|$)/u.test(version)) {
    const help = "ridlkit reads OpenAPI 3.0, 3.1 and 3.2, and Swagger 2.0";
    return fail(
      document.get("openapi") ?? document,
      `unknown version \`${version}\` of OpenAPI`,
      help,
    );
  }
  const hasOperations = (document.get("paths")?.entries() ?? []).length > 0;
  if (hasOperations) return null;
  return fail(document, "the document has no paths");
}

/** Creates the error about a document that cannot be imported. */
export function fail(
  part: DocumentPart,
  message: string,
  help?: string,
): Diagnostic {
  const { source, span } = part.location;
  // An excerpt of the whole document would say nothing.
  const { start, end } = span;
  const place = { source, span: { start, end: Math.min(end, start + 1) } };
  return {
    code: "import-document",
    severity: "error",
    message,
    location: part.pointer === "#" ? place : part.location,
    ...(help !== undefined && { help }),
  };
}
