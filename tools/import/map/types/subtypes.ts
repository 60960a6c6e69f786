import type { DocumentFiles } from "../../read/document-files.js";
import type { DocumentPart } from "../../read/document-part.js";
import { followReference, singleReference } from "./references.js";

/** Knows which shared schemas extend others with `allOf`. */
export class Subtypes {
  readonly #library: DocumentFiles;
  readonly #shared: readonly DocumentPart[];
  #index: Index | null = null;

  constructor(library: DocumentFiles, shared: readonly DocumentPart[]) {
    this.#library = library;
    this.#shared = shared;
  }

  /**
   * Returns the schemas that extend another one, also through others, at most one
   * more than `limit`.
   */
  of(base: DocumentPart, limit: number): readonly DocumentPart[] {
    const { extending } = this.#read();
    const found = new Map([[base.id, base]]);
    // A loop over a map also visits entries that are added to it.
    for (const id of found.keys()) {
      for (const each of extending.get(id) ?? []) {
        if (found.size > limit + 1) break;
        found.set(each.id, each);
      }
    }
    return [...found.values()].slice(1);
  }

  /** Returns the name of a shared schema, or null for any other schema. */
  nameOf(schema: DocumentPart): string | null {
    return this.#read().names.get(schema.id) ?? null;
  }

  /** Returns the shared schema with a name, or null. */
  named(name: string): DocumentPart | null {
    return this.#read().byName.get(name) ?? null;
  }

  #read(): Index {
    if (this.#index !== null) return this.#index;
    const index = {
      extending: new Map<string, DocumentPart[]>(),
      names: new Map<string, string>(),
      byName: new Map<string, DocumentPart>(),
    };
    this.#index = index;
    for (const schema of this.#shared) {
      const target = followReference(schema, this.#library)?.target;
      if (target === undefined) continue;
      const isFirst = !index.names.has(target.id);
      index.byName.set(schema.key, target);
      if (isFirst || target.id === schema.id) {
        index.names.set(target.id, schema.key);
      }
      for (const id of isFirst ? this.#parentsOf(target) : []) {
        const known = index.extending.get(id);
        if (known === undefined) index.extending.set(id, [target]);
        else known.push(target);
      }
    }
    return index;
  }

  /** Returns the places of the schemas that a schema extends directly. */
  #parentsOf(schema: DocumentPart): ReadonlySet<string> {
    const parents = new Set<string>();
    if (isNullableCopy(schema)) return parents;
    const layers = [schema];
    for (const layer of layers) {
      const next = this.#library.hopsFrom(layer)?.[1];
      const followed = next && followReference(next, this.#library);
      if (followed) parents.add(followed.target.id);
      layers.push(...(layer.get("allOf")?.items() ?? []));
    }
    return parents;
  }
}

interface Index {
  /** The schemas that extend a schema directly, by its place. */
  readonly extending: ReadonlyMap<string, readonly DocumentPart[]>;
  /** The names of shared schemas by their places. */
  readonly names: ReadonlyMap<string, string>;
  readonly byName: ReadonlyMap<string, DocumentPart>;
}

/** Whether a schema has the values of another one and null. */
export function isNullableCopy(schema: DocumentPart): boolean {
  const isNullable = schema.get("nullable")?.isTrue === true;
  return isNullable && singleReference(schema) !== null;
}
