import { isRecord } from "../../../../generator/ir/is-record.js";
import { distributeFields } from "./distribute-fields.js";
import { type JsonMap, listOf, ownMember } from "./members.js";
import {
  notesKeyword,
  type ParserSide,
  type SchemaNote,
} from "./schema-note.js";

/**
 * A schema whose references are objects: `$ref` is the schema that it refers to.
 * So a recursive schema is a cycle.
 */
export type LinkedSchema = { [keyword: string]: unknown };

/** Keywords whose value is a schema, a list of schemas, or schemas by names. */
export const schemaKeywords: ReadonlyMap<string, "one" | "list" | "map"> =
  new Map([
    ...(
      ["items", "additionalProperties", "unevaluatedProperties"] as const
    ).map((key) => [key, "one"] as const),
    ...(
      ["not", "contains", "propertyNames", "if", "then", "else"] as const
    ).map((key) => [key, "one"] as const),
    ...(["allOf", "anyOf", "oneOf", "prefixItems"] as const).map(
      (key) => [key, "list"] as const,
    ),
    ...(["properties", "patternProperties"] as const).map(
      (key) => [key, "map"] as const,
    ),
  ]);

/** Deeper schemas cannot be RIDL. */
const maxDepth = 60;

/**
 * Links a JSON Schema that a parser gave, and removes what says nothing about
 * requests and responses.
 */
export function linkSchema(root: JsonMap, side: ParserSide): LinkedSchema {
  return new SchemaLinker(root, side).link(root, 0);
}

class SchemaLinker {
  readonly #root: JsonMap;
  readonly #side: ParserSide;
  readonly #linked = new Map<unknown, LinkedSchema>();

  constructor(root: JsonMap, side: ParserSide) {
    this.#root = root;
    this.#side = side;
  }

  link(schema: JsonMap, depth: number): LinkedSchema {
    const known = this.#linked.get(schema);
    if (known !== undefined) return known;
    const linked: LinkedSchema = {};
    this.#linked.set(schema, linked);
    if (depth > maxDepth) {
      const message = "the schema is nested too deeply for RIDL";
      addNotes(linked, [["value", message, "any value is accepted"]]);
      return linked;
    }
    for (const [key, value] of Object.entries(
      simplify(distributeFields(schema), this.#side),
    )) {
      setMember(linked, key, this.#linkValue(key, value, depth + 1));
    }
    return linked;
  }

  #linkValue(key: string, value: unknown, depth: number): unknown {
    if (key === "$ref") return this.#target(value, depth);
    const link = (each: unknown): unknown =>
      isRecord(each) ? this.link(each, depth) : each;
    switch (schemaKeywords.get(key)) {
      case "one":
        return link(value);
      case "list":
        return listOf(value).map(link);
      case "map":
        return isRecord(value)
          ? Object.fromEntries(
              Object.entries(value).map(([name, each]) => [name, link(each)]),
            )
          : {};
      case undefined:
        return value;
    }
  }

  /** Returns the schema at a JSON pointer, with the name of its definition. */
  #target(reference: unknown, depth: number): LinkedSchema {
    const text = typeof reference === "string" ? reference : "";
    const keys = text
      .split("/")
      .slice(1)
      .map((key) => decode(key).replaceAll("~1", "/").replaceAll("~0", "~"));
    let at: unknown = this.#root;
    for (const key of keys) {
      const list = listOf(at);
      at = isRecord(at) ? ownMember(at, key) : list[Number(key)];
    }
    if (!text.startsWith("#") || !isRecord(at)) {
      const message = `the schema refers to \`${text}\`, which is not part of it`;
      const linked: LinkedSchema = {};
      addNotes(linked, [["value", message, "any value is accepted"]]);
      return linked;
    }
    const linked = this.link(at, depth);
    const name = keys.at(-1);
    const isNamed = name !== undefined && !/^__schema\d+$/u.test(name);
    if (isNamed && keys.length === 2) linked["title"] ??= name;
    return linked;
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Sets a member with any name, such as `__proto__`. */
function setMember(map: LinkedSchema, key: string, value: unknown): void {
  Object.defineProperty(map, key, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

/** Adds notes to a schema. */
function addNotes(schema: LinkedSchema, notes: readonly SchemaNote[]): void {
  const known = listOf(schema[notesKeyword]);
  schema[notesKeyword] = [...known, ...notes];
}

const dropped: ReadonlySet<string> = new Set([
  ..."$schema $id $defs definitions id ~standard readOnly writeOnly".split(" "),
]);

/** Writes a schema in the way in which documents of APIs do. */
function simplify(schema: JsonMap, side: ParserSide): LinkedSchema {
  const plain: LinkedSchema = Object.fromEntries(
    Object.entries(schema).filter(([key]) => !dropped.has(key)),
  );
  const id = schema["id"];
  if (typeof id === "string") plain["title"] ??= id;
  const { items } = plain;
  if (Array.isArray(items)) plain["prefixItems"] = items;
  if (Array.isArray(items) || items === false) delete plain["items"];
  // Parsers of outputs remove unknown members.
  if (side === "output" && plain["additionalProperties"] === false) {
    delete plain["additionalProperties"];
  }
  simplifyNumber(plain);
  simplifyText(plain);
  simplifyRecord(plain);
  return plain;
}

const safe = Number.MAX_SAFE_INTEGER;
/** The range of a type, and what it is in RIDL. */
const ranges = [
  { from: -(2 ** 31), to: 2 ** 31 - 1, name: { format: "int32" } },
  { from: 0, to: 2 ** 32 - 1, name: { format: "uint32" } },
  { from: -safe, to: safe, name: { title: "SafeInt" } },
  { from: 0, to: safe, name: { title: "SafeUint" } },
] as const;

/** The limits of a type are part of the type. */
function simplifyNumber(schema: LinkedSchema): void {
  if (schema["type"] !== "integer") return;
  const { minimum, maximum, title } = schema;
  const range = ranges.find(
    ({ from, to }) => minimum === from && maximum === to,
  );
  if (range === undefined) return;
  Object.assign(schema, range.name, title !== undefined && { title });
  if ("title" in range.name) return;
  delete schema["minimum"];
  delete schema["maximum"];
}

/** A pattern says more than a format. RIDL has one pattern. */
function simplifyText(schema: LinkedSchema): void {
  if (schema["type"] !== "string") return;
  const all = listOf(schema["allOf"]);
  const patterns = all.flatMap((each) =>
    isRecord(each) && typeof each["pattern"] === "string"
      ? [each["pattern"]]
      : [],
  );
  if (patterns.length === all.length && patterns.length > 0) {
    delete schema["allOf"];
    schema["pattern"] ??= patterns[0];
    for (const pattern of patterns) {
      if (pattern === schema["pattern"]) continue;
      const message = `RIDL has one pattern, and this one is another: \`${pattern}\``;
      addNotes(schema, [["value", message, "values are not checked for it"]]);
    }
  }
  const hasPattern = schema["pattern"] !== undefined;
  const { format } = schema;
  if (!hasPattern || typeof format !== "string" || format === "date-time")
    return;
  delete schema["format"];
  // Zod calls some checks formats, such as `ends_with`.
  const isCheck = /_|^(?:includes|regex|lowercase|uppercase)$/u.test(format);
  if (!isCheck) schema["title"] ??= format;
}

/** A map from any string, or an object whose keys are listed. */
function simplifyRecord(schema: LinkedSchema): void {
  const { propertyNames: names, additionalProperties: values } = schema;
  if (!isRecord(names)) return;
  const keys = Object.keys(names).filter((key) => key !== "description");
  const isAny = keys.length === 1 && names["type"] === "string";
  const listed = listOf(ownMember(names, "enum")).filter(
    (key): key is string => typeof key === "string",
  );
  if (isAny) delete schema["propertyNames"];
  if (listed.length === 0 || schema["properties"] !== undefined) return;
  delete schema["propertyNames"];
  delete schema["additionalProperties"];
  schema["properties"] = Object.fromEntries(
    listed.map((key) => [key, values ?? {}]),
  );
}
