import {
  isList,
  type JsonObject,
  type JsonValue,
} from "../emitter/json-value.js";

/**
 * Converts a document without webhooks from OpenAPI 3.1 to 3.0, for tools that
 * read only that. Version 3.0 has its own dialect of JSON Schema.
 */
export function toVersion30(document: JsonObject): JsonObject {
  const { components, ...rest } = document;
  const { schemas, ...others } = objectOf(components);
  return {
    ...objectOf(convertSchemasIn(rest)),
    openapi: "3.0.3",
    components: {
      ...objectOf(convertSchemasIn(others)),
      schemas: mapValues(objectOf(schemas), convertSchema),
    },
  };
}

/** Converts the schemas in anything else, which have the key `schema`. */
function convertSchemasIn(value: JsonValue): JsonValue {
  if (isList(value)) return value.map(convertSchemasIn);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      if (key === "schema") return [key, convertSchema(item)];
      return [key, examples.has(key) ? item : convertSchemasIn(item)];
    }),
  );
}

/** Keys whose values are data, in which `schema` has no meaning. */
const examples: ReadonlySet<string> = new Set(["example", "examples"]);

/** Converts a schema and the schemas in it. */
function convertSchema(schema: JsonValue): JsonValue {
  if (typeof schema !== "object" || schema === null || isList(schema)) {
    return schema;
  }
  // Version 3.0 has no equivalent of `propertyNames`.
  const { $ref, anyOf, const: only, propertyNames: _, type, ...rest } = schema;
  const { contentEncoding, examples: shown, ...words } = rest;
  const converted: JsonObject = {
    ...words,
    ...convertType(type),
    ...(anyOf !== undefined && convertAnyOf(listOf(anyOf))),
    ...(only !== undefined && { enum: [only] }),
    ...(shown !== undefined && { example: listOf(shown)[0] }),
    ...(contentEncoding === "base64" && { format: "byte" }),
    ...mapMembers(words),
  };
  if ($ref === undefined) return converted;
  // Keywords next to `$ref` would be ignored.
  return Object.keys(converted).length === 0
    ? { $ref }
    : { allOf: [{ $ref }], ...converted };
}

/** Converts the members of a schema that contain schemas. */
function mapMembers({
  additionalProperties,
  items,
  properties,
}: JsonObject): JsonObject {
  return {
    ...(properties !== undefined && {
      properties: mapValues(objectOf(properties), convertSchema),
    }),
    ...(additionalProperties !== undefined && {
      additionalProperties: convertSchema(additionalProperties),
    }),
    ...(items !== undefined && { items: convertSchema(items) }),
  };
}

/** Converts `["string", "null"]`, because a type has only one name. */
function convertType(type: JsonValue): JsonObject {
  if (type === undefined) return {};
  const names = isList(type) ? type : [type];
  const others = names.filter((name) => name !== "null");
  const nullable = others.length < names.length ? { nullable: true } : {};
  if (others.length === 0) return nullable;
  return others.length === 1
    ? { type: others[0], ...nullable }
    : { anyOf: others.map((name) => ({ type: name })), ...nullable };
}

/** Converts alternatives, of which one may be null. */
function convertAnyOf(schemas: readonly JsonValue[]): JsonObject {
  const others = schemas.filter((each) => objectOf(each)["type"] !== "null");
  const converted = others.map(convertSchema);
  if (others.length === schemas.length) return { anyOf: converted };
  return {
    ...(others.length === 1 ? { allOf: converted } : { anyOf: converted }),
    nullable: true,
  };
}

function mapValues(
  object: JsonObject,
  convert: (value: JsonValue) => JsonValue,
): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [key, convert(value)]),
  );
}

function objectOf(value: JsonValue): JsonObject {
  return typeof value === "object" && value !== null && !isList(value)
    ? value
    : {};
}

function listOf(value: JsonValue): readonly JsonValue[] {
  return isList(value) ? value : [];
}
