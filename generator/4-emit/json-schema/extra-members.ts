import type { Constraints, Field } from "../../ir/contract.js";
import { isList, type JsonObject } from "../emitter/json-value.js";
import { describe } from "./describe.js";
import { oneOfValues } from "./listed-values.js";
import type { ObjectPart, SchemaPart } from "./part.js";

/** The parts of a map that collects extra members. */
interface ExtraParts {
  readonly keys: SchemaPart;
  readonly held: SchemaPart;
  readonly limits: Constraints;
  /** The map as a property of its own. */
  readonly collected: SchemaPart;
}

/** Adds the members that no field declares to the schema of an object. */
export function withExtra(
  part: ObjectPart,
  all: readonly Field[],
  extra: Field,
  { collected, held, keys, limits }: ExtraParts,
): ObjectPart {
  const fields = all.filter(({ isExtra }) => !isExtra);
  const names = fields.map(({ jsonName }) => jsonName);
  const required = fields.filter(({ isOptional }) => !isOptional);
  const { propertyNames } = keys.schema;
  const { maxProperties, minProperties } = limits;
  // JSON Schema can only count all members, so these limits are the tightest
  // that hold for every valid object.
  const limited: JsonObject = {
    ...(propertyNames !== undefined && {
      propertyNames: { anyOf: [oneOfValues(names), propertyNames] },
    }),
    ...(minProperties !== undefined && {
      minProperties: minProperties + required.length,
    }),
    ...(maxProperties !== undefined && {
      maxProperties: maxProperties + names.length,
    }),
  };
  const words = describe(extra.docs, extra.deprecated);
  return {
    schema: {
      ...part.schema,
      additionalProperties: { ...words, ...held.schema },
      ...limited,
    },
    refs: [...part.refs, ...keys.refs, ...held.refs],
    isJson: part.isJson && held.isJson,
    output: {
      ...collectedSchema(part, extra, collected),
      ...(limited["propertyNames"] !== undefined && { propertyNames: true }),
      ...(minProperties !== undefined && { minProperties: 0 }),
      ...(maxProperties !== undefined && { maxProperties: names.length + 1 }),
    },
  };
}

/** Returns how an object differs whose extra members are in a map. */
function collectedSchema(
  { output, schema: { required } }: ObjectPart,
  { isOptional, jsonName }: Field,
  { schema }: SchemaPart,
): JsonObject {
  return {
    ...output,
    properties: { ...Object(output["properties"]), [jsonName]: schema },
    ...(!isOptional && {
      required: [...(isList(required) ? required : []), jsonName],
    }),
    additionalProperties: true,
  };
}
