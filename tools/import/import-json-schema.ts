import { fail, type Imported, writeModel } from "./import-openapi.js";
import { gatherAliases } from "./map/types/gather-aliases.js";
import { TypeMapper } from "./map/types/type-mapper.js";
import type { Model } from "./model/model.js";
import { toTypeName, wordsOf } from "./model/names.js";
import type { NoteLog } from "./notes/note.js";
import type { DocumentPart } from "./read/document-part.js";
import { type FileReader, DocumentFiles } from "./read/document-files.js";

/**
 * Turns a JSON Schema into RIDL with types and without methods: its `$defs`,
 * `definitions` and `schemas`, and the document itself if it is a schema. Input:
 * as for `importOpenapi`.
 */
export function importJsonSchema(
  name: string,
  read: FileReader,
  stem: string,
  isStrict = false,
): Imported {
  const library = new DocumentFiles(read);
  const document = library.open(name, null);
  if (document === null) {
    return { documents: null, diagnostics: library.faults };
  }
  if (!isSchema(document) && sharedIn(document).length === 0) {
    const help =
      "it needs schemas in `$defs`, `definitions` or `schemas`, or must be one";
    const fault = fail(document, "the document is not a JSON Schema", help);
    return { documents: null, diagnostics: [fault] };
  }
  const map = (
    part: DocumentPart,
    files: DocumentFiles,
    notes: NoteLog,
  ): Model => mapSchemas(part, files, notes, stem);
  return writeModel(document, library, map, stem, isStrict);
}

function mapSchemas(
  document: DocumentPart,
  library: DocumentFiles,
  notes: NoteLog,
  stem: string,
): Model {
  const types = new TypeMapper(document, library, notes);
  const shared = sharedIn(document);
  types.reserve(shared);
  for (const schema of shared) types.declare(schema, "Type");
  const title = document.textOf("title") ?? stem;
  if (isSchema(document)) types.declare(document, toTypeName(title, "Type"));
  return {
    docs: [],
    name: wordsOf(title).join("-").toLowerCase() || "types",
    version: "v0.0.1",
    types: gatherAliases(types.types, types.names),
    errors: [],
    hosts: [],
  };
}

function sharedIn(document: DocumentPart): readonly DocumentPart[] {
  return ["$defs", "definitions", "schemas"].flatMap(
    (key) => document.get(key)?.entries() ?? [],
  );
}

/** Whether a document describes values itself, and not only by a reference. */
function isSchema(document: DocumentPart): boolean {
  return [
    ...["type", "properties", "items", "enum", "const"],
    ...["allOf", "anyOf", "oneOf"],
  ].some((key) => document.get(key) !== null);
}
