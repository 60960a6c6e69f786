import { posix } from "node:path";

/** A value in one of the files of an OpenAPI document. */
export interface ComparedPlace {
  readonly file: string;
  /** The JSON pointer, e.g. `#/components/schemas/Order`. */
  readonly pointer: string;
  readonly value: unknown;
}

/** Identifies a place among all files. */
export function idOf({ file, pointer }: ComparedPlace): string {
  return file + pointer;
}

/** Returns the members of an object, or of anything else none. */
export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object(value)
    : {};
}

/** Returns the items of a list, or of anything else none. */
export function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Reads the parsed files of a document, and follows their references. */
export class Places {
  readonly #read: (file: string) => unknown;

  constructor(read: (file: string) => unknown) {
    this.#read = read;
  }

  /** Returns the whole of a file. */
  root(file: string): ComparedPlace {
    return { file, pointer: "#", value: this.#read(file) };
  }

  /** Returns what is at keys below a place, or null if there is nothing. */
  at(
    place: ComparedPlace,
    ...keys: readonly (string | number)[]
  ): ComparedPlace | null {
    let { pointer, value } = place;
    for (const key of keys) {
      if (typeof value !== "object" || value === null) return null;
      if (!Object.hasOwn(value, key)) return null;
      value = Reflect.get(value, key);
      pointer += `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
    }
    return { file: place.file, pointer, value };
  }

  /** Returns the entries of an object or the items of a list as places. */
  children(place: ComparedPlace | null): readonly ComparedPlace[] {
    if (place === null || typeof place.value !== "object") return [];
    return Object.keys(place.value ?? {}).flatMap(
      (key) => this.at(place, key) ?? [],
    );
  }

  /** Returns the place that `$ref` leads to, or null if there is no `$ref`. */
  follow(place: ComparedPlace): ComparedPlace | null {
    const ref = membersOf(place.value)["$ref"];
    return typeof ref === "string" ? this.find(ref, place) : null;
  }

  /** Returns the place that a reference leads to. */
  find(ref: string, from: ComparedPlace): ComparedPlace | null {
    const [name = "", pointer = ""] = ref.split("#");
    const file =
      name === "" ? from.file : posix.join(posix.dirname(from.file), name);
    const keys = pointer
      .split("/")
      .slice(1)
      .map((key) => decodeURIComponent(key))
      .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
    return this.at(this.root(file), ...keys);
  }

  /**
   * Returns the schemas of properties. Some documents have a reference in place
   * of all.
   */
  properties(schema: ComparedPlace): readonly ComparedPlace[] {
    const written = this.at(schema, "properties");
    return this.children(written && (this.follow(written) ?? written));
  }

  /** Follows all references of a place. */
  resolve(place: ComparedPlace): ComparedPlace {
    let current = place;
    for (let left = 100; left > 0; left--) {
      const next = this.follow(current);
      if (next === null) break;
      current = next;
    }
    return current;
  }

  /**
   * Returns the schemas that apply to the same value as a schema: itself, and
   * those of `$ref`, `allOf`, `oneOf` and `anyOf`.
   */
  expand(
    place: ComparedPlace,
    found = new Map<string, ComparedPlace>(),
  ): readonly ComparedPlace[] {
    if (found.has(idOf(place))) return [];
    found.set(idOf(place), place);
    const target = this.follow(place);
    if (target !== null) this.expand(target, found);
    for (const key of ["allOf", "oneOf", "anyOf"]) {
      const list = this.at(place, key);
      for (const item of this.children(list)) this.expand(item, found);
    }
    return [...found.values()];
  }

  /** Returns the schemas of a property or an item of a value. */
  step(
    schemas: readonly ComparedPlace[],
    key: string | number,
  ): readonly ComparedPlace[] {
    const found = new Map<string, ComparedPlace>();
    for (const schema of schemas) {
      const next =
        typeof key === "number"
          ? this.at(schema, "items")
          : (this.properties(schema).find((each) => keyOf(each) === key) ??
            this.at(schema, "additionalProperties"));
      // Unknown members are ignored, even if the document rejects them.
      if (next !== null && next.value !== false) this.expand(next, found);
    }
    return [...found.values()];
  }
}

/** Returns the last key of a pointer. */
export function keyOf({ pointer }: ComparedPlace): string {
  return pointer
    .slice(pointer.lastIndexOf("/") + 1)
    .replaceAll("~1", "/")
    .replaceAll("~0", "~");
}
