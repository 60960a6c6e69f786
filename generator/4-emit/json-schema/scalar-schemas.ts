import type {
  Constraints,
  IntegerName,
  ScalarName,
} from "../../ir/contract.js";
import { isWideInteger, mergeConstraints } from "../../ir/resolve.js";
import { scalars } from "../../ir/scalars.js";
import type { EmitOptions } from "../emitter/emitter.js";
import type { JsonObject } from "../emitter/json-value.js";

/** What is particular to a document that contains schemas. */
export interface Dialect {
  /** Where references to schemas begin, e.g. `#/$defs/`. */
  readonly root: string;
  /** Whether there are formats that OpenAPI registers, such as `uint64`. */
  readonly hasFormats: boolean;
  /**
   * Whether a value is all that servers accept: also null for an absent field,
   * and integers for some strings. A validator needs that. A client is simpler
   * without it.
   */
  readonly acceptsAll: boolean;
  /**
   * Whether it describes what tools take and give: the response of a REST read is
   * the whole message and not its body, and 64-bit integers that can exceed
   * 2^53-1 are digits in a string where they do. False if absent.
   */
  readonly isForTools?: boolean;
}

/** What a core type is on the wire. */
export interface ScalarSchema {
  readonly schema: JsonObject;
  /** The range of an integer; none of others. */
  readonly range: Constraints;
}

/** Input: settings of the project. Output: the schema of each core type. */
export function createScalarSchemas(
  { int64 }: Pick<EmitOptions, "int64">,
  { hasFormats, isForTools = false }: Dialect,
): Readonly<Record<ScalarName, ScalarSchema>> {
  const other = (schema: JsonObject): ScalarSchema => ({ schema, range: {} });
  const numeric = (type: string, format: string): JsonObject => ({
    type,
    ...(hasFormats && { format }),
  });
  const integer = (name: IntegerName, format: string): ScalarSchema => {
    const isExact = isWideInteger(name) && int64 === "bigint";
    return isExact && isForTools
      ? other({ type: ["integer", "string"], pattern: "^-?[0-9]+$" })
      : {
          schema: numeric("integer", format),
          range: rangeOf(name, isExact),
        };
  };
  return {
    any: other({}),
    bigint: other({ type: "string", pattern: "^-?[0-9]{1,1000}$" }),
    bool: other({ type: "boolean" }),
    byte: integer("byte", "uint8"),
    file: other({ type: "string", format: "binary" }),
    float32: other(numeric("number", "float")),
    float64: other(numeric("number", "double")),
    int: integer("int", "int64"),
    int8: integer("int8", "int8"),
    int16: integer("int16", "int16"),
    int32: integer("int32", "int32"),
    int64: integer("int64", "int64"),
    null: other({ type: "null" }),
    string: other({ type: "string" }),
    timestamp: other({ type: "string", format: "date-time" }),
    uint: integer("uint", "uint64"),
    uint8: integer("uint8", "uint8"),
    uint16: integer("uint16", "uint16"),
    uint32: integer("uint32", "uint32"),
    uint64: integer("uint64", "uint64"),
  };
}

/** The range of an integer type, within ±(2^53-1) unless all of it is wanted. */
function rangeOf(name: IntegerName, isExact: boolean): Constraints {
  const [least, most] = scalars[name].range;
  const safe = {
    minimum: Number.MIN_SAFE_INTEGER,
    maximum: Number.MAX_SAFE_INTEGER,
  };
  const whole = { minimum: numberOf(least), maximum: numberOf(most) };
  return isExact ? whole : mergeConstraints(whole, safe);
}

/** The same as a number if that holds it exactly. */
function numberOf(value: bigint): bigint | number {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}
