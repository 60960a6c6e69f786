import { posix } from "node:path";

/** A value in one of the files of an OpenAPI document. */
export interface ComparedPlace {
  readonly file: string;
  /** The JSON pointer, e.g. `#/components/schemas/Order`. */
  readonly pointer: string;
  readonly value: unknown;
}

/** A schema, and those of its `$ref` and `allOf`. */
interface Layered {
  readonly place: ComparedPlace;
  readonly layers: readonly ComparedPlace[];
}

/** Keywords that have no effect on the values of a schema. */
const annotations = new Set(
  "$ref title summary description deprecated default example examples readOnly writeOnly nullable".split(
    " ",
  ),
);

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

/** A schema whose values are those of schemas that extend it. */
export interface Base {
  /** The name of the tag. */
  readonly tag: string;
  /** The schema itself, and those that extend it with `allOf`. */
  readonly variants: readonly BaseVariant[];
}

/** A schema, and the values of its tag. */
export interface BaseVariant {
  readonly place: ComparedPlace;
  readonly tags: readonly string[];
}

/** Reads the parsed files of a document, and follows their references. */
export class Places {
  readonly #read: (file: string) => unknown;
  readonly #bases = new Map<string, Base | null>();
  readonly #shared = new Map<string, readonly Layered[]>();

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

  /** Whether a schema is the one of its `$ref`, and not one that extends it. */
  isReference(place: ComparedPlace): boolean {
    const keys = Object.keys(membersOf(place.value));
    return (
      this.follow(place) !== null &&
      keys.every((key) => annotations.has(key) || key.startsWith("x-"))
    );
  }

  /** Returns a schema, and those of its `$ref` and `allOf`. */
  layers(
    place: ComparedPlace,
    found = new Map<string, ComparedPlace>(),
  ): readonly ComparedPlace[] {
    if (found.has(idOf(place))) return [];
    found.set(idOf(place), place);
    const target = this.follow(place);
    if (target !== null) this.layers(target, found);
    for (const item of this.children(this.at(place, "allOf"))) {
      this.layers(item, found);
    }
    return [...found.values()];
  }

  /**
   * Returns what a schema with a discriminator is for schemas that extend it, or
   * null. In the `allOf` of such a schema, it is only itself.
   */
  base(place: ComparedPlace): Base | null {
    const target = this.isReference(place) ? this.follow(place) : null;
    if (target !== null) return this.base(target);
    const schema = place;
    const known = this.#bases.get(idOf(schema));
    if (known !== undefined) return known;
    const base = this.#findBase(schema);
    this.#bases.set(idOf(schema), base);
    return base;
  }

  #findBase(schema: ComparedPlace): Base | null {
    const layers = this.layers(schema);
    const isUnion = layers.some(
      (each) => this.at(each, "oneOf") ?? this.at(each, "anyOf"),
    );
    const [tag] = layers.flatMap(({ value }) => tagsIn(value));
    if (tag === undefined || isUnion) return null;
    const all = this.#sharedIn(schema.file).filter(({ layers: each }) =>
      each.some((layer) => idOf(layer) === idOf(schema)),
    );
    if (all.every(({ place }) => idOf(place) === idOf(schema))) return null;
    const mapping = all.flatMap(({ layers: each }) =>
      each.flatMap((layer) => this.#mappingOf(layer, tag)),
    );
    const inherited = new Set(layers.map(idOf));
    const variants = all.map(({ layers: each, place }): BaseVariant => {
      const own = each.filter((layer) => !inherited.has(idOf(layer)));
      return { place, tags: this.#tagsOf(place, own, tag, mapping) };
    });
    return { tag, variants };
  }

  /** Returns the shared schemas of a file that are not those of another name. */
  #sharedIn(file: string): readonly Layered[] {
    const known = this.#shared.get(file);
    if (known !== undefined) return known;
    const root = this.root(file);
    const all = [
      ...this.children(this.at(root, "components", "schemas")),
      ...this.children(this.at(root, "definitions")),
    ];
    const shared = all
      .filter((place) => !this.isReference(place) && !isCopy(place))
      .map((place) => ({ place, layers: this.layers(place) }));
    this.#shared.set(file, shared);
    return shared;
  }

  /** Returns the values of a tag with the schemas to which they are mapped. */
  #mappingOf(
    layer: ComparedPlace,
    tag: string,
  ): readonly (readonly [value: string, id: string])[] {
    const mapping = this.at(layer, "discriminator", "mapping");
    if (!tagsIn(layer.value).includes(tag)) return [];
    return this.children(mapping).flatMap((entry) => {
      const found = this.mapped(String(entry.value), layer);
      const value = keyOf(entry);
      return found === null ? [] : [[value, idOf(found)] as const];
    });
  }

  /** Returns the schema that a mapping of a discriminator names, or null. */
  mapped(text: string, from: ComparedPlace): ComparedPlace | null {
    const ref = /[/#]/u.test(text) ? text : `#/components/schemas/${text}`;
    const found = this.find(ref, from);
    return found && this.resolve(found);
  }

  /** Returns the mapped values of a tag, those that it lists, or the name. */
  #tagsOf(
    place: ComparedPlace,
    own: readonly ComparedPlace[],
    tag: string,
    mapping: readonly (readonly [value: string, id: string])[],
  ): readonly string[] {
    const written = this.at(place, "x-ms-discriminator-value")?.value;
    const mapped = mapping
      .filter(([, id]) => id === idOf(place))
      .map(([value]) => value)
      .concat(typeof written === "string" ? [written] : []);
    if (mapped.length > 0) return mapped;
    const listed = own
      .flatMap((layer) => this.at(layer, "properties", tag) ?? [])
      .map((property) => membersOf(this.resolve(property).value))
      .flatMap((each) =>
        "const" in each ? [each["const"]] : itemsOf(each["enum"]),
      )
      .filter((value) => typeof value === "string");
    const isOther = mapping.some(([value]) => value === keyOf(place));
    return listed.length > 0 || isOther ? listed : [keyOf(place)];
  }

  /**
   * Returns the schemas that apply to the same value as a schema: itself, and
   * those of `$ref`, `allOf`, `oneOf` and `anyOf`, and the schemas that extend it.
   */
  expand(
    place: ComparedPlace,
    found = new Map<string, ComparedPlace>(),
    isExtended = true,
  ): readonly ComparedPlace[] {
    if (found.has(idOf(place))) return [];
    found.set(idOf(place), place);
    const target = this.follow(place);
    const isSame = isExtended && this.isReference(place);
    if (target !== null) this.expand(target, found, isSame);
    for (const key of ["allOf", "oneOf", "anyOf"]) {
      const list = this.at(place, key);
      const isAlso = key !== "allOf";
      for (const item of this.children(list)) this.expand(item, found, isAlso);
    }
    const base = isExtended ? this.base(place) : null;
    for (const variant of base?.variants ?? []) {
      this.expand(variant.place, found, false);
    }
    return [...found.values()];
  }

  /** Returns the schemas of a property or an item of a value. */
  step(
    schemas: readonly ComparedPlace[],
    key: string | number,
  ): readonly ComparedPlace[] {
    const found = new Map<string, ComparedPlace>();
    for (const next of this.parts(schemas, key)) this.expand(next, found);
    return [...found.values()];
  }

  /** Returns where schemas say what a property or an item is. */
  parts(
    schemas: readonly ComparedPlace[],
    key: string | number,
  ): readonly ComparedPlace[] {
    return schemas.flatMap((schema) => {
      const next =
        typeof key === "number"
          ? this.at(schema, "items")
          : (this.properties(schema).find((each) => keyOf(each) === key) ??
            this.at(schema, "additionalProperties"));
      // Unknown members are ignored, even if the document rejects them.
      return next === null || next.value === false ? [] : [next];
    });
  }
}

/** Whether a schema only allows null besides the values of another one. */
function isCopy({ value }: ComparedPlace): boolean {
  const { allOf, nullable, properties } = membersOf(value);
  const isAlone = itemsOf(allOf).length === 1 && properties === undefined;
  return nullable === true && isAlone;
}

/** Returns the name of the tag of a schema with a discriminator, or nothing. */
export function tagsIn(schema: unknown): readonly string[] {
  const { discriminator } = membersOf(schema);
  const { propertyName = discriminator } = membersOf(discriminator);
  return typeof propertyName === "string" ? [propertyName] : [];
}

/** Returns the last key of a pointer. */
export function keyOf({ pointer }: ComparedPlace): string {
  return pointer
    .slice(pointer.lastIndexOf("/") + 1)
    .replaceAll("~1", "/")
    .replaceAll("~0", "~");
}
