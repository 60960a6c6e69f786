import type { ErrorObject } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import {
  idOf,
  itemsOf,
  keyOf,
  membersOf,
  type ComparedPlace,
  Places,
} from "./places.js";

/** Keywords that ajv gets as they are. */
const plain = new Set(
  "const multipleOf minLength maxLength minItems maxItems minContains maxContains uniqueItems minProperties maxProperties dependentRequired".split(
    " ",
  ),
);
const schemaKeys = new Set(
  "items contains additionalProperties propertyNames not if then else".split(
    " ",
  ),
);
const schemaLists = new Set(["allOf", "anyOf", "prefixItems"]);
const schemaMaps = new Set([
  "properties",
  "patternProperties",
  "dependentSchemas",
]);
const types = new Set(
  "string number integer boolean object array null".split(" "),
);

/** What ajv finds wrong with a value. */
export type Judgement = readonly ErrorObject[];

/**
 * Validates values with ajv and the schemas of an OpenAPI document, which are
 * first written in JSON Schema 2020-12. The rules that apply to all imported
 * documents are part of this: unknown members are ignored, and a value can be of
 * several variants of `oneOf`.
 */
export class Judge {
  readonly #places: Places;
  readonly #ajv = createAjv();
  readonly #known = new Set<string>();
  readonly #absentIn: "readOnly" | "writeOnly" | null;

  /** Members with the keyword `absentIn` cannot be required. */
  constructor(places: Places, absentIn: "readOnly" | "writeOnly" | null) {
    this.#places = places;
    this.#absentIn = absentIn;
  }

  /** Returns the check of a schema. */
  compile(place: ComparedPlace): (value: unknown) => Judgement {
    const validate = this.#ajv.compile(this.#refer(place, true));
    return (value) => (validate(value) ? [] : [...(validate.errors ?? [])]);
  }

  /**
   * Registers the schema at a place once, and returns a reference to it. If it is
   * extended, values are also those of schemas that extend it.
   */
  #refer(place: ComparedPlace, isExtended: boolean): { readonly $ref: string } {
    const isBase = isExtended && this.#places.base(place) !== null;
    const name = `${isBase ? "base" : "place"}:${encodeURIComponent(idOf(place))}`;
    if (!this.#known.has(name)) {
      this.#known.add(name);
      const schema = this.#translate(place, isExtended);
      this.#ajv.addSchema(Object(schema), name);
    }
    return { $ref: name };
  }

  #translate(place: ComparedPlace, isExtended = true): unknown {
    const { value } = place;
    if (typeof value !== "object" || value === null) return value !== false;
    const schema = membersOf(value);
    const target = this.#places.follow(place);
    const result: Record<string, unknown> = {};
    const isSame = isExtended && this.#places.isReference(place);
    if (target !== null) Object.assign(result, this.#refer(target, isSame));
    if (isExtended && !isSame) this.#addVariants(place, result);
    for (const [key, each] of Object.entries(schema)) {
      if (plain.has(key)) result[key] = each;
    }
    this.#addSchemas(place, result);
    addText(schema, result);
    addNumbers(schema, result);
    this.#addMembers(place, result);
    addValues(schema, result);
    return isNullable(schema) ? { anyOf: [{ type: "null" }, result] } : result;
  }

  /** The value of a tag chooses a schema that extends a base. */
  #addVariants(place: ComparedPlace, result: Record<string, unknown>): void {
    const { tag = "", variants = [] } = this.#places.base(place) ?? {};
    const rules = variants
      .filter((variant) => idOf(variant.place) !== idOf(place))
      .map((variant) => ({
        if: {
          type: "object",
          properties: { [tag]: { enum: variant.tags } },
          required: [tag],
        },
        then: this.#refer(variant.place, false),
      }))
      .filter(({ if: { properties } }) => properties[tag]?.enum.length !== 0);
    if (rules.length > 0) addToAll(result, rules);
  }

  #addSchemas(place: ComparedPlace, result: Record<string, unknown>): void {
    for (const child of this.#places.children(place)) {
      const key = keyOf(child);
      const parts = this.#places.children(child);
      if (schemaKeys.has(key)) {
        // Unknown members are ignored.
        const isClosed = key === "additionalProperties" && !child.value;
        if (!isClosed) result[key] = this.#translate(child);
      } else if (schemaLists.has(key) || key === "oneOf") {
        const variants = this.#tagged(place, parts, key !== "allOf");
        const list = variants.length > 0 ? variants : [true];
        const isAny = key === "oneOf" && "anyOf" in schemaOf(place);
        if (isAny) addToAll(result, [{ anyOf: list }]);
        else if (key === "allOf") addToAll(result, list);
        else result["anyOf"] = list;
      } else if (schemaMaps.has(key)) {
        const held =
          key === "properties" ? this.#places.properties(place) : parts;
        const schemas = held.map(
          (part) => [keyOf(part), this.#translate(part)] as const,
        );
        result[key] = {
          ...Object(result[key]),
          ...Object.fromEntries(schemas),
        };
        // As a name, ajv ignores `__proto__`.
        const own = schemas.find(([name]) => name === "__proto__");
        if (own === undefined || key !== "properties") continue;
        const patterns = Object(result["patternProperties"]);
        result["patternProperties"] = { ...patterns, "^__proto__$": own[1] };
      }
    }
  }

  /** Returns the variants with the values of their tag, if they have one. */
  #tagged(
    place: ComparedPlace,
    variants: readonly ComparedPlace[],
    isExtended: boolean,
  ): readonly unknown[] {
    const discriminator = membersOf(schemaOf(place)["discriminator"]);
    const tag = discriminator["propertyName"];
    return variants.map((variant) => {
      const schema = this.#translate(variant, isExtended);
      const target = this.#places.follow(variant);
      if (typeof tag !== "string" || target === null) return schema;
      const resolved = idOf(this.#places.resolve(variant));
      const mapped = Object.entries(membersOf(discriminator["mapping"]))
        .filter(([, ref]) => {
          const found = this.#places.mapped(String(ref), place);
          return found && idOf(found) === resolved;
        })
        .map(([key]) => key);
      const values = mapped.length > 0 ? mapped : [keyOf(target)];
      const tagged = { properties: { [tag]: { enum: values } } };
      return { allOf: [schema, { ...tagged, required: [tag] }] };
    });
  }

  #addMembers(place: ComparedPlace, result: Record<string, unknown>): void {
    const required = itemsOf(schemaOf(place)["required"]).filter((name) => {
      const property = this.#places.at(place, "properties", String(name));
      const target = property && this.#places.resolve(property);
      const key = this.#absentIn;
      return (
        typeof name === "string" &&
        (key === null ||
          ![property, target].some((each) => schemaOf(each)[key] === true))
      );
    });
    if (required.length > 0) result["required"] = [...new Set(required)];
  }
}

/** Keywords with which a schema in `allOf` does more than allow null. */
const typing = "$ref type enum const properties items allOf oneOf anyOf".split(
  " ",
);

/** Whether a schema, or a part of `allOf` with no other purpose, allows null. */
function isNullable(schema: Schema): boolean {
  const isMark = (part: Schema): boolean =>
    part["nullable"] === true && typing.every((key) => !(key in part));
  return (
    schema["nullable"] === true ||
    itemsOf(schema["allOf"]).map(membersOf).some(isMark)
  );
}

function schemaOf(
  place: ComparedPlace | null,
): Readonly<Record<string, unknown>> {
  return membersOf(place?.value);
}

type Schema = Readonly<Record<string, unknown>>;

/** Adds schemas that all have to accept a value. */
function addToAll(
  result: Record<string, unknown>,
  schemas: readonly unknown[],
): void {
  result["allOf"] = [...itemsOf(result["allOf"]), ...schemas];
}

function addText(schema: Schema, result: Record<string, unknown>): void {
  const { format, pattern, contentEncoding } = schema;
  if (typeof format === "string") result["format"] = format;
  if (contentEncoding === "base64") result["format"] = "byte";
  if (typeof pattern !== "string") return;
  try {
    readPattern(pattern);
    result["pattern"] = pattern;
  } catch {
    // A pattern that ECMAScript does not have is the subject of a note.
  }
}

/** Reads a pattern with the flag `u`, or without it if it is only valid so. */
function readPattern(pattern: string): RegExp {
  try {
    return new RegExp(pattern, "u");
  } catch {
    return new RegExp(pattern);
  }
}

/** The least and the largest integers of formats. */
const integers: Readonly<Record<string, readonly [number, number]>> = {
  int8: [-128, 127],
  int16: [-32768, 32767],
  int32: [-2147483648, 2147483647],
  // JavaScript has no others in JSON.
  int64: [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
  uint8: [0, 255],
  uint16: [0, 65535],
  uint32: [0, 4294967295],
  uint64: [0, Number.MAX_SAFE_INTEGER],
};

/** Adds limits, where those of OpenAPI 3.0 can be exclusive by a flag. */
function addNumbers(schema: Schema, result: Record<string, unknown>): void {
  const isInteger = [schema["type"]].flat().includes("integer");
  // Integers have at most 64 bits.
  const hasBits = String(schema["format"]) in integers;
  if (isInteger && !hasBits) result["format"] = "int64";
  for (const [key, exclusive] of [
    ["minimum", "exclusiveMinimum"],
    ["maximum", "exclusiveMaximum"],
  ] as const) {
    const limit = schema[key];
    const other = schema[exclusive];
    if (typeof other === "number") result[exclusive] = other;
    if (typeof limit !== "number") continue;
    result[other === true ? exclusive : key] = limit;
  }
}

function addValues(schema: Schema, result: Record<string, unknown>): void {
  const named = itemsOf(schema["type"]).map((each) => each ?? "null");
  const all = typeof schema["type"] === "string" ? [schema["type"]] : named;
  const known = all.filter((each) => types.has(String(each)));
  if (known.length > 0 && known.length === all.length) {
    result["type"] = [...new Set(known)];
  }
  const inferred = inferType(schema);
  if (all.length === 0 && inferred !== null) result["type"] = inferred;
  if (!Array.isArray(schema["enum"])) return;
  // YAML reads `[1, 2]` as numbers, even if the type is `string`.
  const isText = known.length === 1 && known[0] === "string";
  const values = schema["enum"].map((each: unknown) =>
    isText && each !== null && typeof each !== "object" ? String(each) : each,
  );
  if (values.length > 0) result["enum"] = values;
}

/** Returns the type of a schema that does not name it, or null. */
function inferType(schema: Schema): string | null {
  const isObject = "properties" in schema || "additionalProperties" in schema;
  if (isObject) return "object";
  const { items } = schema;
  const isSchema = typeof items === "object" && !Array.isArray(items);
  return isSchema ? "array" : null;
}

/** Matches timestamps of RFC 3339 with `T` between date and time. */
const timestamp =
  /^[0-9-]{10}[Tt][0-9:]{8}(?:\.[0-9]{1,9})?(?:[Zz]|[+-][0-9:]{5})$/u;

function createAjv(): Ajv2020 {
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    ownProperties: true,
    inlineRefs: false,
    validateSchema: false,
    logger: false,
    code: { regExp: Object.assign(readPattern, { code: "readPattern" }) },
  });
  addFormats.default(ajv, ["date-time", "date", "uuid"]);
  for (const [name, [least, most]] of Object.entries(integers)) {
    const validate = (value: number): boolean =>
      Number.isInteger(value) && least <= value && value <= most;
    ajv.addFormat(name, { type: "number", validate });
  }
  const { validate: isDateTime } = Object(ajv.formats["date-time"]);
  ajv.addFormat(
    "date-time",
    (text) => timestamp.test(text) && isDateTime(text),
  );
  ajv.addFormat(
    "byte",
    (text) => Buffer.from(text, "base64").toString("base64") === text,
  );
  return ajv;
}
