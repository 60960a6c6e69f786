import type { Contract, Field, TypeReference } from "../../ir/contract.js";
import { scalars } from "../../ir/scalars.js";
import { readExample } from "../../values/read-example.js";
import { typicalText } from "../../values/typical.js";
import { type ResolvedValue, valuesOf } from "../../values/value.js";
import type { JsonObject, JsonValue } from "../emitter/json-value.js";

/** The structs that contain a value. A list of one of them is left empty. */
type Outer = ReadonlySet<string>;

/** Deeper structs have no fields. */
const maxDepth = 6;

/** Returns the required fields of a message, with their examples in JSON. */
export function sampleMessage(
  contract: Contract,
  fields: readonly Field[],
  outer: Outer = new Set(),
): JsonObject {
  const entries = fields
    .filter(({ isOptional }) => !isOptional)
    .map((field): [string, JsonValue] => [
      field.jsonName,
      field.isNullable && outer.size > 0
        ? null
        : sampleValue(contract, field, outer),
    ]);
  return Object.fromEntries(entries);
}

/** Returns the example of a field or type in JSON, or a typical value. */
export function sampleValue(
  contract: Contract,
  subject: Field | TypeReference,
  outer: Outer = new Set(),
): JsonValue {
  const value = valuesOf(contract).valueOf(subject);
  switch (value.kind) {
    case "scalar":
      return sampleScalar(value);
    case "bytes":
      return btoa("\0".repeat(value.limits.minItems ?? 0));
    case "enum":
      return value.declaration.members[0]?.jsonValue ?? "";
    case "list": {
      const { maxItems = 1, minItems = 1 } = value.limits;
      const count = Math.min(Math.max(minItems, 1), maxItems);
      return isAround(contract, outer, value.element)
        ? []
        : Array.from({ length: count }, () =>
            sampleValue(contract, value.element, outer),
          );
    }
    case "map":
      return {};
    case "struct": {
      const { fields, name } = value.declaration;
      return outer.has(name) || outer.size >= maxDepth
        ? {}
        : sampleMessage(contract, fields, new Set([...outer, name]));
    }
  }
}

function isAround(
  contract: Contract,
  outer: Outer,
  type: TypeReference,
): boolean {
  const value = valuesOf(contract).valueOf(type);
  return value.kind === "struct" && outer.has(value.declaration.name);
}

function sampleScalar({
  known,
  layers,
  limits,
  scalar,
}: ResolvedValue & { kind: "scalar" }): JsonValue {
  // A match of a pattern could take too long.
  const quick = layers.map(({ pattern: _, ...others }) => others);
  const example = readExample(scalar, quick, limits.example);
  if (example !== undefined) return example;
  const values = known?.members.map(({ jsonValue }) => jsonValue) ?? null;
  const text = typicalText(scalar, layers, values);
  switch (scalars[scalar].wire) {
    case "any":
      return {};
    case "boolean":
      return true;
    case "null":
    case "file":
      return null;
    case "number":
      return /^-?\d+$/u.test(text) ? BigInt(text) : Number(text);
    case "string":
      return text;
  }
}
