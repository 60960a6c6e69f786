import type {
  Constraints,
  IntegerName,
  ScalarName,
} from "../../ir/contract.js";
import {
  isIntegerName,
  isWideInteger,
  scalars,
  wireRange,
} from "../../ir/scalars.js";
import { formats, isFormat } from "../../ir/text-rule.js";
import type { EmitOptions } from "../emitter/emitter.js";
import type { JsonObject } from "../emitter/json-value.js";
import { exact } from "./integers-in-text.js";

/** How a kind of document describes values. */
export interface Dialect {
  /** Prefix of references to schemas. */
  readonly root: string;
  /** Whether to use OpenAPI's formats, such as `int64` and `password`. */
  readonly hasFormats: boolean;
  /**
   * Whether schemas describe everything that servers accept, which includes
   * null for an absent field and integers for some strings. Validators need
   * this. Without it, generated clients are simpler.
   */
  readonly acceptsAll: boolean;
  /** Whether the response of a REST read is only its body. */
  readonly hasBodies: boolean;
  /**
   * Whether the JSON is read with `JSON.parse`, which rounds integers beyond
   * ±(2^53-1).
   */
  readonly isRounded: boolean;
  /**
   * Digits of a 64-bit integer that can also be a string of digits, as the
   * quantifier of a pattern. Null if it is always a number.
   */
  readonly wideDigits: string | null;
  /**
   * Whether schemas describe the JSON that a Standard Schema accepts, and how
   * the JSON of its output differs. If not, they describe JSON on the wire.
   */
  readonly isStandard: boolean;
}

const wire: Dialect = {
  root: "#/$defs/",
  hasFormats: false,
  acceptsAll: true,
  hasBodies: true,
  isRounded: false,
  wideDigits: null,
  isStandard: false,
};

/** The dialects of all documents. */
export const dialects = {
  /** `schema.json`. */
  jsonSchema: wire,
  openapi: {
    ...wire,
    root: "#/components/schemas/",
    hasFormats: true,
    acceptsAll: false,
  },
  /** The input and output of tools for the Model Context Protocol. */
  tools: { ...wire, hasBodies: false, isRounded: true, wideDigits: "+" },
  /** `schemas-with-json.ts`. */
  standard: {
    ...wire,
    isRounded: true,
    wideDigits: "{1,20}",
    isStandard: true,
  },
} as const satisfies Readonly<Record<string, Dialect>>;

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

/** Returns a function that describes core types for a project's settings. */
export function scalarSchemas(
  int64: EmitOptions["int64"],
  dialect: Dialect,
): (name: ScalarName) => ScalarSchema {
  const known = new Map<ScalarName, ScalarSchema>();
  return (name) => {
    const schema = known.get(name) ?? scalarSchema(name, int64, dialect);
    known.set(name, schema);
    return schema;
  };
}

/** Returns the schema of a core type for a project's settings. */
function scalarSchema(
  name: ScalarName,
  int64: EmitOptions["int64"],
  { hasFormats, isStandard, wideDigits }: Dialect,
): ScalarSchema {
  const { limits, text, wire } = scalars[name];
  const other = (schema: JsonObject, range: Constraints = {}): ScalarSchema => {
    return { schema, range, keys: {} };
  };
  switch (wire) {
    case "any":
      return other({});
    case "boolean":
    case "null":
      return other({ type: wire });
    case "file":
      return other({ type: "string", format: "binary" });
    case "string":
      return limits === "number" && isStandard
        ? other(eitherOf("{1,1000}"), rangeOf("int", "number"))
        : other({ type: "string", ...text?.keywords });
    case "number":
      break;
  }
  if (!isIntegerName(name)) {
    const format = name === "float32" ? "float" : "double";
    return other({ type: "number", ...(hasFormats && { format }) });
  }
  const keys = rangeOf(name, int64);
  const isExact = isWideInteger(name) && int64 === "bigint";
  if (!isExact || wideDigits === null)
    return { schema: { type: "integer" }, range: keys, keys };
  const range = isStandard ? rangeOf(name, "number") : {};
  return { schema: eitherOf(wideDigits), range, keys };
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

/** Adds the pattern of a format, which is narrower in contracts than in JSON. */
export function withFormat(schema: JsonObject): JsonObject {
  const { format, pattern: own } = schema;
  if (typeof format !== "string" || !isFormat(format)) return schema;
  const { pattern } = formats[format].keywords;
  return own === undefined
    ? { ...schema, pattern }
    : { ...schema, allOf: [{ pattern }] };
}
