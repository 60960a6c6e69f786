import fc from "fast-check";
import type { Random } from "../../support/random.js";
import {
  idOf,
  itemsOf,
  keyOf,
  membersOf,
  type ComparedPlace,
  Places,
} from "./places.js";

/** Deeper values have no optional parts. */
const maxDepth = 5;
/** Deeper values are empty, even if they are not valid. */
const endOfDepth = 14;

const words = ["", "a", "name", "Ünï", "10", "true", "x y", "😀😀", "a\nb"];
const numbers = [
  ...[0, 1, -1, 2, 10, 127, 128, -129, 255, 256, 65536, 0.5, -2.5, 1e3],
  ...[2147483647, 2147483648, -2147483649, 4294967296, 9007199254740991],
  ...[1e21, 3.5e38],
];
const anything: readonly unknown[] = [
  ...[null, true, false, [], {}, [1], ["a"], { a: 1 }, "", "text", 0, 7, -7],
  ...[1.5, 2147483648, "2026-01-31", "2026-01-31T10:00:00Z", "QUJD"],
];

const samples = {
  "date-time": [
    ...["2026-01-31T10:00:00Z", "2026-01-31T10:00:00.123+02:00"],
    ...["2024-02-29T23:59:59-08:00", "2026-01-31T10:00:00.123456789Z"],
  ],
  date: ["2026-01-31", "2024-02-29", "1999-12-01"],
  uuid: [
    "123e4567-e89b-12d3-a456-426614174000",
    "FFFFFFFF-FFFF-4FFF-BFFF-FFFFFFFFFFFF",
  ],
  byte: ["", "QUJD", "QQ==", "/+8="],
} as const;

/** Values near those of formats, which are no such values. */
const nearly = [
  ...["2026-01-31 10:00:00Z", "2026-01-31T10:00:00", "2026-13-01", "26-01-01"],
  ...[
    "2026-01-31T25:00:00Z",
    "123e4567e89b12d3a456426614174000",
    "QQ=",
    "Q_-8",
  ],
];

/** Draws values of the schemas of a document. */
export class ValueDrawer {
  readonly #places: Places;
  readonly #random: Random;
  /** The share of values that are beyond a limit. */
  #flaws = 0;

  constructor(places: Places, random: Random) {
    this.#places = places;
    this.#random = random;
  }

  /** Draws a value that is mostly valid. */
  draw(schema: ComparedPlace): unknown {
    this.#flaws = 0;
    return this.#draw([schema], 0);
  }

  /** Draws a value that is often invalid in one place. */
  drawFlawed(schema: ComparedPlace): unknown {
    this.#flaws = this.#random.chance(0.5) ? 0.15 : 0;
    const value = this.#draw([schema], 0);
    return this.#random.chance(0.7) ? mutate(value, this.#random) : value;
  }

  #draw(schemas: readonly ComparedPlace[], depth: number): unknown {
    const layers = this.#choose(schemas);
    const get = (key: string): unknown =>
      layers
        .map(({ value }) => membersOf(value)[key])
        .find((value) => value !== undefined);
    const isFlawed = this.#random.chance(this.#flaws);
    if (get("nullable") === true && this.#random.chance(0.15)) return null;
    if (isFlawed && this.#random.chance(0.2)) return this.#any();
    if (!isFlawed || this.#random.chance(0.5)) {
      const listed = get("const") !== undefined ? [get("const")] : null;
      const values = listed ?? itemsOf(get("enum"));
      const isText = get("type") === "string";
      const value = this.#random.maybeOneOf(values);
      if (values.length > 0) {
        return isText && value !== null && typeof value !== "object"
          ? String(value)
          : value;
      }
    }
    return this.#ofType(layers, typeOf(layers, this.#random), get, {
      depth,
      isFlawed,
    });
  }

  #any(): unknown {
    return structuredClone(this.#random.maybeOneOf(anything));
  }

  #ofType(
    layers: readonly ComparedPlace[],
    type: unknown,
    get: (key: string) => unknown,
    at: { readonly depth: number; readonly isFlawed: boolean },
  ): unknown {
    switch (type) {
      case "string":
        return this.#text(get, at.isFlawed);
      case "integer":
      case "number":
        return this.#number(get, type === "integer", at.isFlawed);
      case "boolean":
        return this.#random.chance(0.5);
      case "null":
        return null;
      case "array":
        return this.#list(layers, get, at);
      case "object":
        return this.#object(layers, at.depth);
      default:
        return this.#any();
    }
  }

  /** Returns a schema with what it consists of, and one of its variants. */
  #choose(schemas: readonly ComparedPlace[]): readonly ComparedPlace[] {
    const found = new Map<string, ComparedPlace>();
    const add = (place: ComparedPlace, isExtended: boolean): void => {
      if (found.has(idOf(place))) return;
      found.set(idOf(place), place);
      const target = this.#places.follow(place);
      const isSame = isExtended && this.#places.isReference(place);
      if (target !== null) add(target, isSame);
      for (const item of this.#places.children(
        this.#places.at(place, "allOf"),
      )) {
        add(item, false);
      }
      for (const key of ["oneOf", "anyOf"]) {
        const variants = this.#places.children(this.#places.at(place, key));
        const variant = this.#random.maybeOneOf(variants);
        if (variant !== undefined) add(variant, true);
      }
      const isBase = isExtended && !isSame;
      const base = isBase ? this.#places.base(place) : null;
      const variant = this.#random.maybeOneOf(base?.variants ?? []);
      if (variant !== undefined) add(variant.place, false);
    };
    for (const schema of schemas) add(schema, true);
    return [...found.values()];
  }

  #text(get: (key: string) => unknown, isFlawed: boolean): string {
    const { maybeOneOf } = this.#random;
    const pick = maybeOneOf.bind(this.#random);
    if (isFlawed && this.#random.chance(0.5)) return String(pick(nearly));
    const pattern = get("pattern");
    if (typeof pattern === "string" && !isFlawed) {
      const text = this.#random.maybeOneOf(textsOf(pattern));
      if (text !== undefined) return text;
    }
    const format = get("contentEncoding") === "base64" ? "byte" : get("format");
    const known = Object.entries(samples).find(([key]) => key === format)?.[1];
    if (known !== undefined && !isFlawed) return String(pick<string>(known));
    const least = countOf(get("minLength")) ?? 0;
    const most = countOf(get("maxLength")) ?? Math.max(least, 30);
    const word = String(pick(words));
    if (!isFlawed) return fit(word, least, most);
    const length = this.#random.chance(0.5) ? least - 1 : most + 1;
    return length < 0 || length > 5000 ? word : fit("é", length, length);
  }

  #number(
    get: (key: string) => unknown,
    isInteger: boolean,
    isFlawed: boolean,
  ): unknown {
    const limits = [
      ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"],
    ].flatMap((key) => {
      const limit = get(key);
      return typeof limit === "number" && Math.abs(limit) < 2 ** 53
        ? [limit]
        : [];
    });
    const near = limits.flatMap((limit) => [limit - 1, limit, limit + 1]);
    const some = isFlawed
      ? [...near, ...limits.map((each) => each + 0.5)]
      : near;
    const all = some.length > 0 && this.#random.chance(0.8) ? some : numbers;
    const value = this.#random.maybeOneOf(all) ?? 0;
    return isInteger && !isFlawed ? Math.trunc(value) : value;
  }

  #list(
    layers: readonly ComparedPlace[],
    get: (key: string) => unknown,
    { depth, isFlawed }: { readonly depth: number; readonly isFlawed: boolean },
  ): unknown {
    const least = countOf(get("minItems")) ?? 0;
    const most = countOf(get("maxItems")) ?? least + 2;
    const isDeep = depth >= maxDepth;
    const extra = isDeep ? 0 : this.#random.below(most - least + 1);
    const off = this.#random.chance(0.5) ? least - 1 : most + 1;
    const length = isFlawed ? Math.max(0, off) : least + Math.min(extra, 3);
    if (depth >= endOfDepth || length > 200) return [];
    const items = layers.flatMap(
      (each) => this.#places.at(each, "items") ?? [],
    );
    return Array.from({ length }, () =>
      items.length > 0 ? this.#draw(items, depth + 1) : this.#any(),
    );
  }

  #object(layers: readonly ComparedPlace[], depth: number): unknown {
    const result: Record<string, unknown> = {};
    if (depth >= endOfDepth) return result;
    const properties = new Map<string, ComparedPlace[]>();
    for (const layer of layers) {
      for (const property of this.#places.properties(layer)) {
        const known = properties.get(keyOf(property)) ?? [];
        properties.set(keyOf(property), [...known, property]);
      }
    }
    const required = new Set(
      layers.flatMap(({ value }) => itemsOf(membersOf(value)["required"])),
    );
    // A large object gets some of its members, so that faults are found.
    const share = depth >= maxDepth ? 0 : Math.min(0.6, 8 / properties.size);
    for (const [key, schemas] of properties) {
      if (!required.has(key) && !this.#random.chance(share)) continue;
      if (this.#random.chance(this.#flaws / 3)) continue;
      set(result, key, this.#draw(schemas, depth + 1));
    }
    for (const key of required) {
      if (typeof key === "string" && !Object.hasOwn(result, key)) {
        if (!properties.has(key)) set(result, key, this.#any());
      }
    }
    this.#addOthers(result, layers, depth);
    this.#addTagOfBase(result, layers);
    this.#addTag(result, layers);
    return result;
  }

  /** Adds members of `additionalProperties`, and unknown ones. */
  #addOthers(
    result: Record<string, unknown>,
    layers: readonly ComparedPlace[],
    depth: number,
  ): void {
    const values = layers.flatMap(
      (each) => this.#places.at(each, "additionalProperties") ?? [],
    );
    const typed = values.filter(({ value }) => typeof value === "object");
    if (typed.length > 0 && depth < maxDepth) {
      for (const key of ["one", "Zwei", "3"].slice(this.#random.below(4))) {
        if (key in result) continue;
        set(result, key, this.#draw(typed, depth + 1));
      }
    } else if (this.#random.chance(0.1) && typed.length === 0) {
      set(result, "unknownMember", this.#any());
    }
  }

  /** Sets the tag of a base to a value of the schema that extends it most. */
  #addTagOfBase(
    result: Record<string, unknown>,
    layers: readonly ComparedPlace[],
  ): void {
    const ids = new Set(layers.map(idOf));
    for (const layer of layers) {
      const { tag = "", variants = [] } = this.#places.base(layer) ?? {};
      const drawn = variants
        .filter(({ place }) => ids.has(idOf(place)))
        .toSorted(
          (a, b) =>
            this.#places.layers(b.place).length -
            this.#places.layers(a.place).length,
        );
      const value = this.#random.maybeOneOf(drawn[0]?.tags ?? []);
      if (value !== undefined) set(result, tag, value);
    }
  }

  /** Sets the tag of a discriminator to the name of a variant. */
  #addTag(
    result: Record<string, unknown>,
    layers: readonly ComparedPlace[],
  ): void {
    for (const layer of layers) {
      const tag = this.#places.at(layer, "discriminator", "propertyName");
      const isUnion = ["oneOf", "anyOf"].some((key) =>
        this.#places.at(layer, key),
      );
      if (typeof tag?.value !== "string" || !isUnion) continue;
      const mapping = this.#places.at(layer, "discriminator", "mapping");
      const ids = new Set(layers.map(idOf));
      const names = this.#places.children(mapping).flatMap((entry) => {
        const target = this.#places.mapped(String(entry.value), layer);
        return target && ids.has(idOf(target)) ? [keyOf(entry)] : [];
      });
      const variants = ["oneOf", "anyOf"]
        .flatMap((key) => this.#places.children(this.#places.at(layer, key)))
        .filter((each) => ids.has(idOf(each)))
        .flatMap((each) => this.#places.follow(each) ?? [])
        .map(keyOf);
      const name = this.#random.maybeOneOf(names.length > 0 ? names : variants);
      if (name !== undefined) set(result, tag.value, name);
    }
  }
}

/** Sets a member with any name, also `__proto__`. */
function set(object: object, key: string, value: unknown): void {
  Object.defineProperty(object, key, {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  });
}

function typeOf(layers: readonly ComparedPlace[], random: Random): unknown {
  const named = layers.map(({ value }) => membersOf(value)["type"]);
  const [type] = named.filter((each) => each !== undefined);
  if (Array.isArray(type)) return random.maybeOneOf(type) ?? "null";
  if (type !== undefined) return type;
  const has = (key: string): boolean =>
    layers.some(({ value }) => membersOf(value)[key] !== undefined);
  if (has("properties") || has("additionalProperties")) return "object";
  if (has("items")) return "array";
  return has("required") ? "object" : undefined;
}

function countOf(value: unknown): number | null {
  return typeof value === "number" ? Math.min(value, 3000) : null;
}

/** Shortens or repeats a text until it has a length in code points. */
function fit(text: string, least: number, most: number): string {
  const filler = text === "" ? "a" : text;
  const longer = [...text].length < least ? filler.repeat(least) : text;
  return [...longer].slice(0, Math.max(least, Math.min(most, 30))).join("");
}

const texts = new Map<string, readonly string[]>();

/** Returns texts with a pattern, or none if it is too complex. */
function textsOf(pattern: string): readonly string[] {
  const known = texts.get(pattern);
  if (known !== undefined) return known;
  const drawn = drawTexts(pattern);
  texts.set(pattern, drawn);
  return drawn;
}

function drawTexts(pattern: string): readonly string[] {
  try {
    const strings = fc.stringMatching(new RegExp(pattern, "u"));
    return fc.sample(strings, { numRuns: 8, seed: 1 });
  } catch {
    return [];
  }
}

/** Changes one part of a value. */
function mutate(value: unknown, random: Random): unknown {
  const holder = { value: structuredClone(value) };
  const places: (readonly [object, string])[] = [];
  const visit = (object: object): void => {
    for (const [key, child] of Object.entries(object)) {
      places.push([object, key]);
      if (typeof child === "object" && child !== null) visit(child);
    }
  };
  visit(holder);
  const [object, key] = random.maybeOneOf(places) ?? [holder, "value"];
  const before: unknown = Reflect.get(object, key);
  const isMember = object !== holder && !Array.isArray(object);
  if (isMember && random.chance(0.25)) Reflect.deleteProperty(object, key);
  else set(object, key, change(before, random));
  return holder.value;
}

function change(value: unknown, random: Random): unknown {
  if (random.chance(0.4)) {
    return structuredClone(random.maybeOneOf(anything));
  }
  if (typeof value === "number") {
    return random.oneOf([value + 1, value - 1, value + 0.5, -value, 1e12]);
  }
  if (typeof value === "string") {
    const changed = [`${value}x`, value.slice(1), value.toUpperCase(), ""];
    return random.maybeOneOf([...changed, `${value}\n`, ` ${value}`]);
  }
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    return random.oneOf([[], [...items, ...items], items.slice(1), [null]]);
  }
  return structuredClone(random.maybeOneOf([...anything, ...nearly]));
}
