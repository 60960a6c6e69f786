import type {
  Constraints,
  Contract,
  Field,
  ScalarName,
  TypeReference,
} from "../../generator/ir/contract.js";
import { createIndex } from "../../generator/ir/resolve.js";

/** A JSON Schema, as far as this file writes it. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

const largest = Number.MAX_SAFE_INTEGER;

const scalars: Readonly<Record<ScalarName, JsonSchema>> = {
  any: {},
  bigint: { type: "string", pattern: "^-?[0-9]{1,1000}$" },
  bool: { type: "boolean" },
  byte: integers(0, 255),
  file: {},
  float32: { type: "number" },
  float64: { type: "number" },
  int: integers(-largest, largest),
  int8: integers(-128, 127),
  int16: integers(-(2 ** 15), 2 ** 15 - 1),
  int32: integers(-(2 ** 31), 2 ** 31 - 1),
  int64: integers(-largest, largest),
  null: { type: "null" },
  string: { type: "string" },
  timestamp: {
    type: "string",
    format: "date-time",
    pattern:
      "^[0-9-]{10}[Tt][0-9:]{8}(?:\\.[0-9]{1,9})?(?:[Zz]|[+-][0-9:]{5})$",
  },
  uint: integers(0, largest),
  uint8: integers(0, 255),
  uint16: integers(0, 2 ** 16 - 1),
  uint32: integers(0, 2 ** 32 - 1),
  uint64: integers(0, largest),
};

function integers(minimum: number, maximum: number): JsonSchema {
  return { type: "integer", minimum, maximum };
}

/**
 * JSON Schema of the fields of a message, made from the contract on a way of
 * its own: the judge of what the validators say.
 */
export function messageSchema(
  contract: Contract,
  fields: readonly Field[],
): JsonSchema {
  const definitions = contract.types.map((type) => [
    type.name,
    type.kind === "struct"
      ? objectSchema(contract, type.fields)
      : type.kind === "enum"
        ? { enum: type.members.map(({ jsonValue }) => jsonValue) }
        : withLimits(typeSchema(contract, type.type), type.constraints),
  ]);
  return {
    ...objectSchema(contract, fields),
    $defs: Object.fromEntries(definitions),
  };
}

function objectSchema(
  contract: Contract,
  fields: readonly Field[],
): JsonSchema {
  return {
    type: "object",
    properties: Object.fromEntries(
      fields.map((field) => [field.jsonName, fieldSchema(contract, field)]),
    ),
    required: fields
      .filter(({ isOptional }) => !isOptional)
      .map(({ jsonName }) => jsonName),
  };
}

function fieldSchema(contract: Contract, field: Field): JsonSchema {
  const schema = withLimits(
    typeSchema(contract, field.type),
    field.constraints,
  );
  // null stands for an optional field that is absent.
  return field.isNullable || field.isOptional
    ? { anyOf: [schema, { type: "null" }] }
    : schema;
}

function typeSchema(contract: Contract, type: TypeReference): JsonSchema {
  switch (type.kind) {
    case "scalar":
      return scalars[type.name];
    case "list":
      return isByte(contract, type.element)
        ? { isBase64: true }
        : { type: "array", items: typeSchema(contract, type.element) };
    case "map":
      return {
        type: "object",
        propertyNames: keySchema(contract, type.key),
        additionalProperties: typeSchema(contract, type.value),
      };
    case "reference":
      return { $ref: `#/$defs/${type.name}` };
  }
}

function isByte(contract: Contract, element: TypeReference): boolean {
  const type = createIndex(contract).resolve(element);
  return type.kind === "scalar" && /^(?:byte|uint8)$/u.test(type.name);
}

function keySchema(contract: Contract, key: TypeReference): JsonSchema {
  if (key.kind !== "scalar") return typeSchema(contract, key);
  const { minimum, maximum } = scalars[key.name];
  if (typeof minimum !== "number" || typeof maximum !== "number") return {};
  const count = maximum - minimum + 1;
  return { enum: Array.from({ length: count }, (_, i) => `${minimum + i}`) };
}

function withLimits(schema: JsonSchema, limits: Constraints): JsonSchema {
  const { example, ...keywords } = limits;
  return Object.keys(keywords).length === 0
    ? schema
    : { allOf: [schema, keywords] };
}
