import type { NoteLog } from "../../notes/note.js";
import type { Library } from "../../read/library.js";
import { DocumentPart } from "../../read/document-part.js";

/** A schema together with everything that `allOf` adds to it. */
export class SchemaView {
  readonly part: DocumentPart;
  /** The schema itself first, then those of `allOf`, references resolved. */
  readonly layers: readonly DocumentPart[];
  readonly #library: Library;

  constructor(
    part: DocumentPart,
    layers: readonly DocumentPart[],
    library: Library,
  ) {
    this.part = part;
    this.layers = layers;
    this.#library = library;
  }

  /** Returns the value of a keyword, the schema's own before those of others. */
  get(key: string): DocumentPart | null {
    for (const layer of this.layers) {
      const found = layer.get(key);
      if (found !== null) return found;
    }
    return null;
  }

  /** Returns a text that the schema itself has, not those of `allOf`. */
  textOf(key: string): string | null {
    return this.part.textOf(key);
  }

  /** The JSON types, without `null`. Empty if any type is possible. */
  get types(): readonly string[] {
    const type = this.get("type");
    const names =
      type === null || type.text !== null
        ? [type?.text ?? null]
        : type
            .items()
            .map(({ text, node }) => (node.kind === "null" ? "null" : text));
    const known = names.filter((name) => name !== null && name !== "null");
    return [...new Set(known.flatMap((name) => name ?? []))];
  }

  /** Whether null is a value. */
  get isNullable(): boolean {
    const type = this.get("type");
    const listed = this.get("enum")?.items() ?? [];
    return (
      this.get("nullable")?.isTrue === true ||
      (type?.items() ?? []).some(
        ({ text, node }) => text === "null" || node.kind === "null",
      ) ||
      listed.some(({ node }) => node.kind === "null")
    );
  }

  /** The properties of all layers. The first one with a name counts. */
  get properties(): ReadonlyMap<string, DocumentPart> {
    const all = new Map<string, DocumentPart>();
    for (const layer of this.layers) {
      for (const property of propertiesOf(layer, this.#library)) {
        if (!all.has(property.key)) all.set(property.key, property);
      }
    }
    return all;
  }

  /** The names of required properties in all layers. */
  get required(): ReadonlySet<string> {
    const names = this.layers.flatMap(
      (layer) => layer.get("required")?.items() ?? [],
    );
    return new Set(names.flatMap(({ text }) => text ?? []));
  }
}

/**
 * Returns the properties of a schema. Some documents have a reference in place of
 * all properties. A property that is called `$ref` is no text.
 */
export function propertiesOf(
  schema: DocumentPart,
  library: Library,
): readonly DocumentPart[] {
  const written = schema.get("properties");
  const isReference = written !== null && written.textOf("$ref") !== null;
  const properties = isReference ? library.resolve(written) : written;
  return properties?.entries() ?? [];
}

/** Creates the view of a schema. A cycle of `allOf` ends where it repeats. */
export function viewSchema(
  part: DocumentPart,
  library: Library,
  notes: NoteLog,
): SchemaView {
  const layers: DocumentPart[] = [];
  const seen = new Set<string>();
  const add = (next: DocumentPart): void => {
    const target = library.resolve(next);
    if (target === null || seen.has(target.id)) return;
    seen.add(target.id);
    // Keywords beside `$ref` add to it.
    if (next.id !== target.id && next.node.kind === "map") layers.push(next);
    layers.push(target);
    for (const item of target.get("allOf")?.items() ?? []) add(item);
    if (next.id === target.id) return;
    for (const item of next.get("allOf")?.items() ?? []) add(item);
  };
  add(part);
  const unions = layers.filter(
    (layer) => layer.get("oneOf") !== null || layer.get("anyOf") !== null,
  );
  for (const layer of unions.slice(1)) {
    const message = "RIDL cannot combine two unions";
    notes.add("value", layer, message, "values are not checked for this one");
  }
  return new SchemaView(part, layers, library);
}
