import type { NoteLog } from "../../notes/note.js";
import type { DocumentFiles } from "../../read/document-files.js";
import { DocumentPart } from "../../read/document-part.js";
import { implies } from "./implies.js";

/** A schema together with everything that `allOf` adds to it. */
export class SchemaView {
  readonly part: DocumentPart;
  /** The schema itself first, then those of `allOf`, references resolved. */
  readonly layers: readonly DocumentPart[];
  readonly #library: DocumentFiles;
  /** Layers whose variants are the schemas that extend them, such as this one. */
  readonly #bases: ReadonlySet<DocumentPart>;
  #propertySchemas: ReadonlyMap<string, readonly DocumentPart[]> | null = null;

  constructor(
    part: DocumentPart,
    layers: readonly DocumentPart[],
    library: DocumentFiles,
    bases: ReadonlySet<DocumentPart>,
  ) {
    this.part = part;
    this.layers = layers;
    this.#library = library;
    this.#bases = bases;
  }

  /**
   * Returns the value of a keyword: the narrowest limit or list of values, and
   * otherwise the schema's own before those of others.
   */
  get(key: string): DocumentPart | null {
    const [first = null, ...others] = this.all(key);
    return others.reduce(
      (best, next) => (best && isNarrower(next, best) ? next : best),
      first,
    );
  }

  /** Returns the values of a keyword in all layers. */
  all(key: string): readonly DocumentPart[] {
    const isUnion = key === "oneOf" || key === "anyOf";
    const layers = isUnion
      ? this.layers.filter((layer) => !this.#bases.has(layer))
      : this.layers;
    return layers.flatMap((layer) => layer.get(key) ?? []);
  }

  /** Returns a text that the schema itself has, not those of `allOf`. */
  textOf(key: string): string | null {
    return this.part.textOf(key);
  }

  /**
   * The JSON types that all layers have, without `null`. Empty if any type is
   * possible.
   */
  get types(): readonly string[] {
    const lists = this.all("type").map(typesIn);
    const [first = [], ...others] = lists.filter((list) => list.length > 0);
    const shared = others.reduce(intersect, first);
    return shared.length > 0 ? shared : first;
  }

  /** The keywords with which a layer has no type that those before it have. */
  get conflicts(): readonly DocumentPart[] {
    let shared: readonly string[] = [];
    const isListing = (layer: DocumentPart): boolean =>
      (layer.get("const") ?? layer.get("enum")) !== null;
    // Listed values win.
    const ordered = [
      ...this.layers.filter(isListing),
      ...this.layers.filter((layer) => !isListing(layer)),
    ];
    return ordered.flatMap((layer) => {
      const [by, types] = typesOf(layer);
      if (by === null) return [];
      const both = shared.length > 0 ? intersect(shared, types) : types;
      if (both.length === 0) return [by];
      shared = both;
      return [];
    });
  }

  /** Whether null is a value. */
  get isNullable(): boolean {
    return allowsNull(this.part, this.#library, new Set()) === true;
  }

  /** The properties of all layers. The narrowest one with a name counts. */
  get properties(): ReadonlyMap<string, DocumentPart> {
    const all = new Map<string, DocumentPart>();
    for (const [key, schemas] of this.propertySchemas) {
      const [first, ...others] = schemas;
      if (first === undefined) continue;
      const whole = schemas.find((one) =>
        schemas.every((other) => implies(one, other, this.#library)),
      );
      const best = others.reduce(
        (best, next) =>
          this.#narrowness(next) > this.#narrowness(best) ? next : best,
        first,
      );
      all.set(key, whole ?? best);
    }
    return all;
  }

  /**
   * Returns the other schemas of a property that are objects like the first one,
   * so that one object has the fields of all. Empty if any schema is none.
   */
  objectsBeside(property: DocumentPart): readonly DocumentPart[] {
    const schemas = this.propertySchemas.get(property.key) ?? [];
    if (schemas.length < 2) return [];
    const others = schemas.filter(
      (each) =>
        each.id !== property.id && !implies(property, each, this.#library),
    );
    const isObject = (schema: DocumentPart): boolean =>
      isPlainObject(schema, this.#library);
    return isObject(property) && others.every(isObject) ? others : [];
  }

  /** All schemas of each property. */
  get propertySchemas(): ReadonlyMap<string, readonly DocumentPart[]> {
    return (this.#propertySchemas ??= this.#listProperties());
  }

  #listProperties(): ReadonlyMap<string, readonly DocumentPart[]> {
    const all = new Map<string, DocumentPart[]>();
    for (const layer of this.layers) {
      for (const property of propertiesOf(layer, this.#library)) {
        const known = all.get(property.key);
        if (known === undefined) all.set(property.key, [property]);
        else known.push(property);
      }
    }
    return all;
  }

  /** Returns a larger number for a schema that lists fewer values. */
  #narrowness(schema: DocumentPart): number {
    const target = this.#library.resolve(schema) ?? schema;
    if (target.get("const") !== null) return 3;
    const listed = target.get("enum")?.items().length;
    if (listed !== undefined) return 2 + 1 / (1 + listed);
    return target.entries().some(({ key }) => limits.has(key)) ? 1 : 0;
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
  library: DocumentFiles,
): readonly DocumentPart[] {
  const written = schema.get("properties");
  const isReference = written !== null && written.textOf("$ref") !== null;
  const properties = isReference ? library.resolve(written) : written;
  return properties?.entries() ?? [];
}

/** Keywords of objects that one struct can have together. */
const ofObjects: ReadonlySet<string> = new Set([
  ..."type properties required description title example examples".split(" "),
  ..."$ref allOf $comment externalDocs deprecated".split(" "),
]);

/** Whether a schema and its layers only describe the members of an object. */
function isPlainObject(
  schema: DocumentPart,
  library: DocumentFiles,
  depth = 0,
): boolean {
  const target = library.resolve(schema);
  if (target === null || depth > maxLayers) return false;
  const isPlain = [schema, target].every((part) =>
    part
      .entries()
      .every(({ key }) => ofObjects.has(key) || key.startsWith("x-")),
  );
  const type = target.get("type");
  const layers = [schema, target].flatMap(
    (part) => part.get("allOf")?.items() ?? [],
  );
  const isObject =
    type === null
      ? layers.length > 0 || target.get("properties") !== null
      : type.text === "object";
  return (
    isPlain &&
    isObject &&
    layers.every((layer) => isPlainObject(layer, library, depth + 1))
  );
}

/** Deeper schemas are no plain objects. */
const maxLayers = 10;

/** Returns the JSON types that a value of `type` names, without `null`. */
function typesIn(type: DocumentPart): readonly string[] {
  const names = type.text === null ? type.items() : [type];
  const known = names.flatMap(({ text }) => text ?? []);
  return [...new Set(known.filter((name) => name !== "null"))];
}

/** Returns the types of one layer, and the keyword that says so. */
function typesOf(
  layer: DocumentPart,
): readonly [by: DocumentPart | null, types: readonly string[]] {
  const type = layer.get("type");
  const named = type === null ? [] : typesIn(type);
  if (type !== null) return [named.length > 0 ? type : null, named];
  const listed = layer.get("const") ?? layer.get("enum");
  if (listed !== null) return [listed, listedTypes(listed)];
  const members = layer.get("properties") ?? layer.get("additionalProperties");
  if (members !== null) return [members, ["object"]];
  const items = layer.get("items");
  return [items, items === null ? [] : ["array"]];
}

/** Returns the types of listed values, without null. */
function listedTypes(listed: DocumentPart): readonly string[] {
  const parts = listed.key === "enum" ? listed.items() : [listed];
  return parts.flatMap(({ node }): readonly string[] => {
    switch (node.kind) {
      case "list":
        return ["array"];
      case "map":
        return ["object"];
      case "null":
        return [];
      case "text":
        return [node.type];
    }
  });
}

/** Returns the types of both lists. Every integer is a number. */
function intersect(
  some: readonly string[],
  others: readonly string[],
): readonly string[] {
  const has = (list: readonly string[], type: string): boolean =>
    list.includes(type) || (type === "integer" && list.includes("number"));
  return [
    ...some.filter((type) => has(others, type)),
    ...others.filter((type) => !some.includes(type) && has(some, type)),
  ];
}

const typing = "type enum const properties items oneOf anyOf".split(" ");

/** Whether a layer says which types a value can have. */
function isTyped(layer: DocumentPart): boolean {
  return typing.some((key) => layer.get(key) !== null);
}

/**
 * Whether a schema and all that `allOf` adds to it allow null. Returns null if it
 * does not matter, because nothing says which types a value can have.
 */
function allowsNull(
  part: DocumentPart,
  library: DocumentFiles,
  seen: Set<string>,
): boolean | null {
  if (seen.has(part.id)) return null;
  seen.add(part.id);
  const items = part.get("allOf")?.items() ?? [];
  // Such a part has no other purpose.
  const isMark = (each: DocumentPart): boolean =>
    isMarked(each) && !isTyped(each) && each.get("$ref") === null;
  if (isMarked(part) || items.some(isMark)) return true;
  const target = library.resolve(part);
  const others = target === null || target.id === part.id ? [] : [target];
  const answers = [
    isTyped(part) ? hasNull(part) : null,
    ...[...items, ...others].map((each) => allowsNull(each, library, seen)),
  ].filter((answer) => answer !== null);
  return answers.length === 0 ? null : answers.every(Boolean);
}

function isMarked(part: DocumentPart): boolean {
  return part.get("nullable")?.isTrue === true;
}

function variantsOf(layer: DocumentPart): readonly DocumentPart[] {
  return ["oneOf", "anyOf"].flatMap((key) => layer.get(key)?.items() ?? []);
}

/** Whether null is a value of a layer. */
function hasNull(layer: DocumentPart): boolean {
  if (isMarked(layer)) return true;
  const isNull = ({ text, node }: DocumentPart): boolean =>
    node.kind === "null" || text === "null";
  const type = layer.get("type");
  const listed = layer.get("enum")?.items();
  const isListed = listed?.some(({ node }) => node.kind === "null");
  const hasNullConst = [layer, ...variantsOf(layer)].some(
    (each) => each.get("const")?.node.kind === "null",
  );
  if (type === null) return isListed === true || hasNullConst;
  // Some documents list null, and forget it as a type.
  if (type.text !== null) return isListed === true || isNull(type);
  return type.items().some(isNull) && isListed !== false;
}

/** Whether the second value of a keyword excludes fewer values than the first. */
function isNarrower(next: DocumentPart, best: DocumentPart): boolean {
  if (next.key === "enum") return next.items().length < best.items().length;
  if (next.node.kind !== "text" || next.node.type !== "number") return false;
  const difference = Number(next.text) - Number(best.text);
  const isLeast = /^(?:min|exclusiveMin)/u.test(next.key);
  return isLeast ? difference > 0 : difference < 0;
}

/** Keywords that exclude values. */
const limits: ReadonlySet<string> = new Set([
  ..."type format pattern minLength maxLength minimum maximum items".split(" "),
  ..."exclusiveMinimum exclusiveMaximum minItems maxItems required".split(" "),
  ..."uniqueItems properties additionalProperties allOf oneOf anyOf".split(" "),
  ..."minProperties maxProperties contentEncoding".split(" "),
]);

/**
 * Creates the view of a schema, and of others that apply to the same value. A
 * cycle of `allOf` ends where it repeats.
 */
export function viewSchema(
  part: DocumentPart,
  library: DocumentFiles,
  notes: NoteLog,
  others: readonly DocumentPart[] = [],
): SchemaView {
  const layers: DocumentPart[] = [];
  const seen = new Set<string>();
  const add = (next: DocumentPart): void => {
    const hops = library.hopsFrom(next) ?? [];
    const target = hops.at(-1);
    if (target === undefined || seen.has(target.id)) return;
    seen.add(target.id);
    // Keywords beside `$ref` add to it.
    const beside = hops.slice(0, -1).filter(({ node }) => node.kind === "map");
    layers.push(...beside, target);
    for (const part of [target, ...beside]) {
      for (const item of part.get("allOf")?.items() ?? []) add(item);
    }
  };
  for (const each of [part, ...others]) add(each);
  // Documents list the schemas that extend another one among its variants.
  const isOther = (variant: DocumentPart, layer: DocumentPart): boolean => {
    const id = library.resolve(variant)?.id;
    return id !== undefined && id !== layer.id && seen.has(id);
  };
  const bases = new Set(
    layers.filter(
      (layer) =>
        layer.id !== part.id &&
        layer.get("discriminator") !== null &&
        variantsOf(layer).some((each) => isOther(each, layer)),
    ),
  );
  const unions = layers.filter(
    (layer) =>
      (layer.get("oneOf") ?? layer.get("anyOf")) !== null && !bases.has(layer),
  );
  for (const layer of unions.slice(1)) {
    const message = "RIDL cannot combine two unions";
    notes.add("value", layer, message, "values are not checked for this one");
  }
  return new SchemaView(part, layers, library, bases);
}
