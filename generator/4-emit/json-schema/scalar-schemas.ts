import type {
  Constraints,
  IntegerName,
  ScalarName,
} from "../../ir/contract.js";
import { isWideInteger, wireRange } from "../../ir/scalars.js";
import type { EmitOptions } from "../emitter/emitter.js";
import type { JsonObject } from "../emitter/json-value.js";
import { exact } from "./integers-in-text.js";

/** How a kind of document writes schemas. */
export interface Dialect {
  /** Prefix of references to schemas, e.g. `#/$defs/`. */
  readonly root: string;
  /** Whether to use OpenAPI's formats, such as `int64` and `password`. */
  readonly hasFormats: boolean;
  /**
   * Whether schemas describe everything that servers accept, which includes
   * null for an absent field and integers for some strings. Validators need
   * this. Without it, generated clients are simpler.
   */
  readonly acceptsAll: boolean;
  /**
   * Whether schemas describe the input and output of tools. In that case, the
   * response of a REST read is the whole message and not its body, and a 64-bit
   * integer beyond 2^53-1 is a string of digits. False if absent.
   */
  readonly isForTools?: boolean;
  /**
   * Whether schemas describe the JSON that a Standard Schema accepts, and how
   * the JSON of its output differs. If not, they describe JSON on the wire.
   * False if absent.
   */
  readonly isStandard?: boolean;
}

/** The schema of a core type. */
export interface ScalarSchema {
  readonly schema: JsonObject;
  /**
   * The range of an integer as a number, or of a `bigint` if `isStandard` is
   * true. Empty for other types.
   */
  readonly range: Constraints;
  /** The range of an integer as a map key. Empty for other types. */
  readonly keys: Constraints;
}

/** Returns the schema of each core type for a project's settings. */
export function createScalarSchemas(
  { int64 }: Pick<EmitOptions, "int64">,
  { hasFormats, isForTools = false, isStandard = false }: Dialect,
): Readonly<Record<ScalarName, ScalarSchema>> {
  const other = (schema: JsonObject, range: Constraints = {}): ScalarSchema => {
    return { schema, range, keys: {} };
  };
  const float = (format: string): ScalarSchema =>
    other({ type: "number", ...(hasFormats && { format }) });
  const integer = (name: IntegerName): ScalarSchema => {
    const isExact = isWideInteger(name) && int64 === "bigint";
    const keys = rangeOf(name, int64);
    if (isExact && isForTools) return { ...other(eitherOf("+")), keys };
    return isExact && isStandard
      ? { schema: eitherOf("{1,20}"), range: rangeOf(name, "number"), keys }
      : { schema: { type: "integer" }, range: keys, keys };
  };
  return {
    any: other({}),
    bigint: isStandard
      ? other(eitherOf("{1,1000}"), rangeOf("int", "number"))
      : other({ type: "string", pattern: "^-?[0-9]{1,1000}$" }),
    bool: other({ type: "boolean" }),
    byte: integer("byte"),
    file: other({ type: "string", format: "binary" }),
    float32: float("float"),
    float64: float("double"),
    int: integer("int"),
    int8: integer("int8"),
    int16: integer("int16"),
    int32: integer("int32"),
    int64: integer("int64"),
    null: other({ type: "null" }),
    string: other({ type: "string" }),
    timestamp: other({ type: "string", format: "date-time" }),
    uint: integer("uint"),
    uint8: integer("uint8"),
    uint16: integer("uint16"),
    uint32: integer("uint32"),
    uint64: integer("uint64"),
  };
}

/**
 * Returns the first of the formats `int32`, `int64` and `uint64` that contains
 * a range. OpenAPI itself defines only the first two. Many generators ignore
 * other formats and read the integer as 32 bits.
 */
export function integerFormat({ minimum, maximum }: Constraints): string {
  const fits = (name: IntegerName): boolean => {
    const [least, most] = wireRange(name, "bigint");
    return (minimum ?? least) >= least && (maximum ?? most) <= most;
  };
  if (fits("int32")) return "int32";
  return fits("int64") ? "int64" : "uint64";
}

/** Returns the schema of an integer that is a number or a string of digits. */
function eitherOf(digits: string): JsonObject {
  return { type: ["integer", "string"], pattern: `^-?[0-9]${digits}$` };
}

/** Returns the limits of an integer type on the wire. */
export function rangeOf(
  name: IntegerName,
  int64: EmitOptions["int64"],
): Constraints {
  const [least, most] = wireRange(name, int64);
  return { minimum: exact(least), maximum: exact(most) };
}
