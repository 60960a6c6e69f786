import type { DocumentFiles } from "../../read/document-files.js";
import type { DocumentPart } from "../../read/document-part.js";
import type { NoteLog } from "../../notes/note.js";
import { type SchemaView, viewSchema } from "./schema-view.js";

/** Knows which schemas extend others with `allOf`. */
export class Subtypes {
  readonly #library: DocumentFiles;
  readonly #notes: NoteLog;
  readonly #shared: readonly DocumentPart[];
  readonly #seen = new Set<string>();
  /** A schema that extends another one, by the place of the latter. */
  #extending: ReadonlyMap<string, DocumentPart> | null = null;

  constructor(
    library: DocumentFiles,
    notes: NoteLog,
    shared: readonly DocumentPart[],
  ) {
    this.#library = library;
    this.#notes = notes;
    this.#shared = shared;
  }

  /**
   * Notes once that the values of a schema with a discriminator have the fields of
   * others, if it becomes a struct without them.
   */
  note(part: DocumentPart, isStruct: (view: SchemaView) => boolean): void {
    if (this.#seen.has(part.id)) return;
    this.#seen.add(part.id);
    const view = viewSchema(part, this.#library, this.#notes);
    if (view.get("discriminator") === null || !isStruct(view)) return;
    this.#extending ??= this.#findExtending();
    const mapping = part.get("discriminator")?.get("mapping")?.entries() ?? [];
    // Some documents list schemas that they do not have.
    const mapped = mapping.map(({ text }) => text?.replace(/^.*\//u, ""));
    const subtype =
      this.#extending.get(part.id) ??
      this.#shared.find(
        ({ key, id }) => mapped.includes(key) && id !== part.id,
      );
    if (subtype === undefined) return;
    const message = `values can be of a schema that extends this one, such as \`${subtype.key}\``;
    const instead = "they have only its fields: declare a union by hand";
    this.#notes.add("wire", part, message, instead);
  }

  #findExtending(): ReadonlyMap<string, DocumentPart> {
    const found = new Map<string, DocumentPart>();
    for (const schema of this.#shared) {
      const target = this.#library.resolve(schema);
      if (target === null) continue;
      const { layers } = viewSchema(target, this.#library, this.#notes);
      for (const { id } of layers) {
        if (id !== target.id && !found.has(id)) found.set(id, schema);
      }
    }
    return found;
  }
}
