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
  return {
    ...convertKeys(document, {
      paths: inMembers((item) => mapMembers(item, convertOperation)),
      components: (components) =>
        convertKeys(components, {
          responses: inMembers(convertContent),
          schemas: inMembers(convertSchema),
        }),
    }),
    openapi: "3.0.3",
  };
}

type Convert = (value: JsonValue) => JsonValue;

function convertOperation(operation: JsonValue): JsonObject {
  return convertKeys(operation, {
    parameters: (list) => listOf(list).map(convertHolder),
    requestBody: convertContent,
    responses: inMembers(convertContent),
  });
}

/** Converts a response or the body of a request. */
function convertContent(described: JsonValue): JsonObject {
  const holders = inMembers(convertHolder);
  return convertKeys(described, { content: holders, headers: holders });
}

/** Converts a parameter, a header or a media type. */
function convertHolder(holder: JsonValue): JsonObject {
  return convertKeys(holder, { schema: convertSchema });
}

/** Converts the members of an object that have these keys. */
function convertKeys(
  object: JsonValue,
  converters: Readonly<Record<string, Convert>>,
): JsonObject {
  const byKey = new Map(Object.entries(converters));
  return Object.fromEntries(
    Object.entries(objectOf(object)).map(([key, value]) => {
      const convert = value === undefined ? undefined : byKey.get(key);
      return [key, convert === undefined ? value : convert(value)];
    }),
  );
}

/** Converts a schema and the schemas in it. */
function convertSchema(schema: JsonValue): JsonValue {
  if (typeof schema !== "object" || schema === null || isList(schema)) {
    return schema;
  }
  // Version 3.0 has no equivalent of `propertyNames`.
  const { $ref, anyOf, const: only, oneOf, propertyNames: _, ...rest } = schema;
  const { contentEncoding, examples: shown, type, ...words } = rest;
  const converted: JsonObject = {
    ...words,
    ...convertType(type),
    ...(anyOf !== undefined && convertAlternatives("anyOf", listOf(anyOf))),
    ...(oneOf !== undefined && convertAlternatives("oneOf", listOf(oneOf))),
    ...(only !== undefined && { enum: [only] }),
    ...(shown !== undefined && { example: listOf(shown)[0] }),
    ...(contentEncoding === "base64" && { format: "byte" }),
    ...mapSchemas(words),
  };
  if ($ref === undefined) return converted;
  // Keywords next to `$ref` would be ignored.
  return Object.keys(converted).length === 0
    ? { $ref }
    : { allOf: [{ $ref }], ...converted };
}

/** Converts the members of a schema that contain schemas. */
function mapSchemas({
  additionalProperties,
  items,
  properties,
}: JsonObject): JsonObject {
  return {
    ...(properties !== undefined && {
      properties: mapMembers(properties, convertSchema),
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
function convertAlternatives(
  keyword: "anyOf" | "oneOf",
  schemas: readonly JsonValue[],
): JsonObject {
  const others = schemas.filter((each) => objectOf(each)["type"] !== "null");
  const converted = others.map(convertSchema);
  if (others.length === schemas.length) return { [keyword]: converted };
  return {
    [others.length === 1 ? "allOf" : keyword]: converted,
    nullable: true,
  };
}

function inMembers(convert: Convert): (object: JsonValue) => JsonObject {
  return (object) => mapMembers(object, convert);
}

function mapMembers(object: JsonValue, convert: Convert): JsonObject {
  return Object.fromEntries(
    Object.entries(objectOf(object)).map(([key, value]) => [
      key,
      convert(value),
    ]),
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
