import { isRecord } from "../../../generator/ir/is-record.js";
import { NameScope, toPascal, toSingular, toTypeName } from "../model/names.js";
import { type LinkedSchema, schemaKeywords } from "./schemas/link-schema.js";
import { listOf, ownMember } from "./schemas/members.js";
import { notesKeyword } from "./schemas/schema-note.js";

/** What a schema without a name is called. A lower rank is a better name. */
export interface NameHint {
  readonly name: string;
  readonly rank: number;
}

/** A type that a name was found for. */
interface PooledType {
  /** The copy whose parts are known. */
  schema: LinkedSchema;
  readonly hints: (NameHint & { readonly owner: string })[];
  readonly descriptions: Set<unknown>;
  /** Whether it only becomes a type if several schemas contain it. */
  isWeak: boolean;
  count: number;
  name: string;
}

/** What surrounds a schema. */
interface Surroundings {
  readonly hint: NameHint;
  /** The name of the type or of the method that contains it. */
  readonly owner: string;
  /** What the router is about, e.g. `Post`, or null. */
  readonly resource: string | null;
}

/** Keywords that say something about one use of a type. */
const useKeywords: ReadonlySet<string> = new Set([
  ..."description default examples example deprecated title".split(" "),
  notesKeyword,
]);

/** Names of fields that say nothing about their values. */
const generic =
  /^(?:items?|data|results?|values?|rows?|nodes?|list|records?|entr(?:y|ies)|input|output|payload|body|response)$/iu;

/**
 * Finds the types that the schemas of a router share. Parsers give a copy of a
 * schema for each use, so those that equal are one type.
 */
export class SchemaPool {
  readonly #types = new Map<string, PooledType>();
  readonly #keys = new WeakMap<LinkedSchema, string>();
  readonly #visited = new Set<LinkedSchema>();
  /** Objects that are the whole output of a method. */
  readonly #outputs: {
    readonly root: LinkedSchema;
    readonly around: Surroundings;
  }[] = [];
  /** The lists of values of tags, which are no enums. */
  readonly #tags = new Set<unknown>();

  /** Adds the input of a method. Its own fields become arguments. */
  addInput(root: LinkedSchema, method: string, resource: string | null): void {
    const hint = { name: `${method}Input`, rank: 3 };
    const around = { hint, owner: method, resource };
    if (!isObject(root)) return this.#visit(root, around);
    this.#keys.set(root, canonicalKey(root));
    this.#visitParts(root, around);
  }

  /** Adds the output of a method. */
  addOutput(root: LinkedSchema, method: string, resource: string | null): void {
    const name = resource ?? `${method}Result`;
    const around = { hint: { name, rank: 3 }, owner: method, resource };
    const { items } = root;
    if (isObject(root)) {
      this.#record(root, around, true);
      this.#outputs.push({ root, around });
    } else this.#visit(isLinked(items) ? items : root, around);
  }

  /** Visits the parts of outputs that are no types on their own. */
  #visitOutputs(): void {
    const seen = new Set<PooledType>();
    for (const { root, around } of this.#outputs) {
      const type = this.#types.get(this.#keys.get(root) ?? "");
      if (type === undefined || !type.isWeak || seen.has(type)) continue;
      seen.add(type);
      this.#visitParts(root, around);
    }
  }

  /** Names all types. Returns their schemas by name. */
  finish(): ReadonlyMap<string, LinkedSchema> {
    this.#visitOutputs();
    const scope = new NameScope();
    const kept = [...this.#types.values()].filter(
      ({ isWeak, count }) => !isWeak || count > 1,
    );
    const best = kept.map((type) => {
      const [hint] = type.hints.toSorted((a, b) => a.rank - b.rank);
      return { type, hint };
    });
    const sorted = best.toSorted(
      (a, b) => (a.hint?.rank ?? 0) - (b.hint?.rank ?? 0),
    );
    for (const { type, hint } of sorted) {
      const name = toTypeName(hint?.name ?? "", "Type");
      const longer = toTypeName(`${hint?.owner ?? ""}${name}`, "Type");
      type.name = scope.take(scope.has(name) ? longer : name);
    }
    return new Map(
      kept.map((type) => {
        const { schema, descriptions, name } = type;
        const body = this.#printParts(schema);
        const { description } = body;
        const own = Object.fromEntries(
          Object.entries(body).filter(([key]) => !useKeywords.has(key)),
        );
        const isSame = descriptions.size === 1 && description !== undefined;
        return [name, isSame ? { ...own, description } : own];
      }),
    );
  }

  /** Returns a schema in which types are references to `#/schemas`. */
  print(schema: LinkedSchema): LinkedSchema {
    const target = schema["$ref"];
    const type = this.#typeOf(isLinked(target) ? target : schema);
    if (type === undefined) return this.#printParts(schema);
    const isShared = type.descriptions.size === 1;
    const uses = Object.entries(schema).filter(
      ([key]) => useKeywords.has(key) && !(isShared && key === "description"),
    );
    const name = type.name.replaceAll("~", "~0").replaceAll("/", "~1");
    const title = uses.filter(([key]) => key !== "title");
    return { $ref: `#/schemas/${name}`, ...Object.fromEntries(title) };
  }

  #typeOf(schema: LinkedSchema): PooledType | undefined {
    const key = this.#keys.get(schema);
    const type = key === undefined ? undefined : this.#types.get(key);
    return type === undefined || type.name === "" ? undefined : type;
  }

  #printParts(schema: LinkedSchema): LinkedSchema {
    const print = (each: unknown): unknown =>
      isLinked(each) ? this.print(each) : each;
    return Object.fromEntries(
      Object.entries(schema).map(([key, value]) => {
        switch (schemaKeywords.get(key)) {
          case "one":
            return [key, print(value)];
          case "list":
            return [key, listOf(value).map(print)];
          case "map":
            return [
              key,
              Object.fromEntries(
                Object.entries(Object(value)).map(([name, each]) => [
                  name,
                  print(each),
                ]),
              ),
            ];
          case undefined:
            return [key, value];
        }
      }),
    );
  }

  /** Records a use of a type. Returns whether its parts are known. */
  #record(
    schema: LinkedSchema,
    { hint, owner }: Surroundings,
    isWeak: boolean,
  ): boolean {
    const { title } = schema;
    const explicit =
      typeof title === "string" && toPascal(title) !== ""
        ? { name: toPascal(title), rank: 0 }
        : hint;
    // Equal limits of other names are other types.
    const named = isLimited(schema) ? `${explicit.name} ` : "";
    const key = named + canonicalKey(schema);
    this.#keys.set(schema, key);
    const type = this.#types.get(key) ?? {
      schema,
      hints: [],
      descriptions: new Set<unknown>(),
      isWeak: true,
      count: 0,
      name: "",
    };
    this.#types.set(key, type);
    type.hints.push({ ...explicit, owner });
    type.descriptions.add(schema["description"]);
    const isKnown = !type.isWeak;
    if (type.isWeak && !isWeak) type.schema = schema;
    type.isWeak &&= isWeak;
    type.count += 1;
    return isKnown;
  }

  /** Visits a schema. With `isForced`, it needs a name in RIDL. */
  #visit(schema: LinkedSchema, around: Surroundings, isForced = false): void {
    const target = schema["$ref"];
    if (isLinked(target)) {
      this.#visit(target, around, true);
      return;
    }
    const isLimit = isLimited(schema);
    const isType = isForced || this.#isType(schema);
    const isKnown =
      (isType || isLimit) && this.#record(schema, around, !isType);
    // The parts of a type count once, however many copies of it there are.
    if (isKnown || this.#visited.has(schema)) return;
    this.#visited.add(schema);
    const owner = isType ? around.hint.name : around.owner;
    this.#visitParts(schema, { ...around, owner });
  }

  /** Whether a schema becomes a type of its own, even if it is used once. */
  #isType(schema: LinkedSchema): boolean {
    const values = listOf(schema["enum"]);
    const isEnum =
      values.length > 1 &&
      values.every((value) => typeof value === "string") &&
      !this.#tags.has(schema);
    const isNamed = typeof schema["title"] === "string" && isLimited(schema);
    return (
      isEnum || isNamed || isObject(schema) || variantsOf(schema).length > 1
    );
  }

  #visitParts(schema: LinkedSchema, around: Surroundings): void {
    const { hint, owner, resource } = around;
    const properties = schema["properties"];
    for (const [key, value] of Object.entries(Object(properties))) {
      if (!isLinked(value)) continue;
      const isGeneric = generic.test(key);
      const name =
        isGeneric && resource !== null
          ? resource
          : toPascal(isGeneric ? `${owner} ${key}` : key);
      const rank = isGeneric ? 2 : 1;
      this.#visit(value, { ...around, hint: { name, rank } });
    }
    for (const key of ["items", "additionalProperties"]) {
      const value = schema[key];
      if (!isLinked(value)) continue;
      const singular = toSingular(hint.name);
      const name =
        singular === hint.name && hint.rank < 2 ? `${singular}Item` : singular;
      const isForced = isLimited(value);
      this.#visit(
        value,
        { ...around, hint: { name, rank: hint.rank } },
        isForced,
      );
    }
    for (const part of listOf(schema["allOf"])) {
      const target = isLinked(part) ? part["$ref"] : null;
      if (isLinked(target)) this.#visit(target, around, true);
      else if (isLinked(part)) this.#visitParts(part, around);
    }
    for (const part of listOf(schema["prefixItems"])) {
      if (isLinked(part)) this.#visit(part, around);
    }
    this.#visitVariants(schema, around);
  }

  #visitVariants(schema: LinkedSchema, around: Surroundings): void {
    const variants = variantsOf(schema);
    const { hint } = around;
    const [only, ...others] = variants;
    if (only !== undefined && others.length === 0) this.#visit(only, around);
    if (others.length === 0) return;
    const tag = tagOf(variants);
    variants.forEach((variant, index) => {
      const value = tag && textsOf(propertyOf(variant, tag))[0];
      const label = toPascal(value ?? "");
      const name =
        label === "" ? `${hint.name}${index + 1}` : label + hint.name;
      if (tag !== null) this.#tags.add(propertyOf(variant, tag));
      this.#visit(variant, { ...around, hint: { name, rank: hint.rank } });
    });
  }
}

function isLinked(value: unknown): value is LinkedSchema {
  return isRecord(value);
}

/** Whether a schema is that of an object with fields. */
function isObject(schema: LinkedSchema): boolean {
  const parts = listOf(schema["allOf"]);
  return (
    Object.keys(Object(schema["properties"])).length > 0 ||
    (parts.length > 0 &&
      parts.every((part) => {
        const target = isLinked(part) ? part["$ref"] : null;
        return isLinked(part) && (isLinked(target) || isObject(part));
      }))
  );
}

const limitKeywords =
  "pattern minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum".split(
    " ",
  );

/** Whether a schema is that of a string or a number with limits. */
function isLimited(schema: LinkedSchema): boolean {
  return (
    ["string", "integer", "number"].includes(String(schema["type"])) &&
    schema["format"] !== "date-time" &&
    limitKeywords.some((key) => schema[key] !== undefined)
  );
}

/** The variants of a union, without null. */
function variantsOf(schema: LinkedSchema): readonly LinkedSchema[] {
  const list = listOf(schema["oneOf"] ?? schema["anyOf"]);
  return list.flatMap((each) =>
    isLinked(each) && each["type"] !== "null" ? [each] : [],
  );
}

function propertyOf(schema: LinkedSchema, key: string): LinkedSchema | null {
  const target = schema["$ref"];
  const { properties } = isLinked(target) ? target : schema;
  const found = isRecord(properties) ? ownMember(properties, key) : null;
  return isLinked(found) ? found : null;
}

/** The texts that a schema lists. */
function textsOf(schema: LinkedSchema | null): readonly string[] {
  const values = listOf(schema?.["enum"] ?? [schema?.["const"]]);
  return values.filter((value): value is string => typeof value === "string");
}

/** Returns the field that lists other texts in each variant, or null. */
function tagOf([first, ...others]: readonly LinkedSchema[]): string | null {
  const target = first?.["$ref"];
  const { properties } = (isLinked(target) ? target : first) ?? {};
  const keys = Object.keys(Object(properties));
  const found = keys.find((key) =>
    [first, ...others].every(
      (each) => each !== undefined && textsOf(propertyOf(each, key)).length > 0,
    ),
  );
  return found ?? null;
}

/** Returns a text that is the same for schemas with the same values. */
function canonicalKey(root: LinkedSchema): string {
  const numbers = new Map<unknown, number>();
  const print = (value: unknown, isRoot: boolean): unknown => {
    if (Array.isArray(value)) return value.map((each) => print(each, false));
    if (!isLinked(value)) return value;
    const known = numbers.get(value);
    if (known !== undefined) return { $ref: known };
    numbers.set(value, numbers.size);
    const target = value["$ref"];
    if (isLinked(target)) return print(target, false);
    const entries = Object.entries(value)
      .filter(([key]) => !isRoot || !useKeywords.has(key))
      .map(([key, each]) => [key, print(each, false)]);
    return Object.fromEntries(entries);
  };
  return JSON.stringify(print(root, true));
}
