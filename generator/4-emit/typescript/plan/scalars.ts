import type { ScalarName } from "../../../ir/contract.js";
import type { EmitOptions } from "../../emitter/emitter.js";

/**
 * Names of the runtime's functions that convert a value between JSON and
 * TypeScript. A name is null if there is nothing to convert.
 */
export interface Conversion {
  /** The function that servers call after validation. */
  readonly decode: string | null;
  /** The function that clients call. Some only reject values. */
  readonly read: string | null;
  readonly encode: string | null;
  /**
   * The function of `codec` by which unique items are compared. Null if the
   * JSON of equal values is the same.
   */
  readonly key: string | null;
  /** The member of the runtime's `schema` that describes both forms. */
  readonly form: string | null;
}

/** The conversion of values that are the same in JSON and TypeScript. */
export const unconverted: Conversion = {
  decode: null,
  read: null,
  encode: null,
  key: null,
  form: null,
};

/** The code that tests whether a JSON value fits a core type. */
export type ScalarTest =
  /** `typeof value === "string"`, or a function of `validation`. */
  | {
      readonly kind: "typeof";
      readonly type: "string" | "boolean";
      readonly callee: string;
    }
  /** `value === null`. */
  | { readonly kind: "null" }
  /** A function of a file of the runtime. */
  | { readonly kind: "call"; readonly file: string; readonly callee: string };

/**
 * The form of a value in JSON: unquoted, in quotes, in quotes and escaped, or
 * as `JSON.stringify` decides.
 */
export type JsonQuoting = "bare" | "quoted" | "escaped" | "any";

/** The representation of a core type in generated TypeScript. */
export interface ScalarForm {
  /** The TypeScript type. */
  readonly type: string;
  /** File of the runtime that exports the type, or null for a built-in type. */
  readonly typeFile: string | null;
  /** TypeScript type of a value before it is decoded. */
  readonly wireType: string;
  readonly test: ScalarTest;
  readonly conversion: Conversion;
  /**
   * Whether the value is converted only if numbers are read without rounding.
   */
  readonly isConvertedIfExact: boolean;
  /**
   * How JSON represents the values. If the pattern of text allows only plain
   * characters, the text is `quoted` instead of `escaped`.
   */
  readonly writing: JsonQuoting;
  /** Whether the values include null or are not JSON. */
  readonly isOpen: boolean;
  /** Kind of literal in samples. */
  readonly sample: Sample;
}

/** A kind of literal in TypeScript. */
export type Sample =
  | "any"
  | "bigint"
  | "boolean"
  | "date"
  | "file"
  | "null"
  | "number"
  | "text"
  | "timestamp";

const text: ScalarForm = {
  type: "string",
  typeFile: null,
  wireType: "string",
  test: { kind: "typeof", type: "string", callee: "isString" },
  conversion: unconverted,
  isConvertedIfExact: false,
  writing: "escaped",
  isOpen: false,
  sample: "text",
};

const any: ScalarForm = {
  ...text,
  type: "unknown",
  wireType: "unknown",
  test: calling("isJson"),
  writing: "any",
  isOpen: true,
  sample: "any",
};

const timestamp: ScalarForm = {
  ...text,
  test: calling("isTimestamp"),
  writing: "quoted",
  sample: "timestamp",
};

const float: ScalarForm = {
  ...numeric("isFloat"),
  // If numbers are read without rounding, an integral value can be a `bigint`.
  conversion: decoded("Float"),
  isConvertedIfExact: true,
};

/** The forms of a core type, depending on settings and limits. */
interface ScalarForms {
  readonly standard: ScalarForm;
  /** The form if limits keep a 64-bit integer within 2^53-1. */
  readonly bounded?: ScalarForm;
  /** The form with `int64: bigint`. */
  readonly bigint?: ScalarForm;
  /** The form with `timestamp: date`. */
  readonly date?: ScalarForm;
}

/** The only list of all core types in the TypeScript target. */
const scalarForms: Readonly<Record<ScalarName, ScalarForms>> = {
  any: { standard: any },
  bigint: {
    standard: {
      ...text,
      type: "bigint",
      test: calling("isBigintText"),
      conversion: converted("Bigint"),
      writing: "quoted",
      sample: "bigint",
    },
  },
  bool: {
    standard: {
      ...numeric("isBoolean"),
      type: "boolean",
      wireType: "boolean",
      test: { kind: "typeof", type: "boolean", callee: "isBoolean" },
      sample: "boolean",
    },
  },
  byte: { standard: numeric("isUint8") },
  file: {
    standard: {
      ...any,
      type: "FileData",
      typeFile: "file-data",
      test: { kind: "call", file: "file-data", callee: "isFileData" },
      sample: "file",
    },
  },
  float32: { standard: float },
  float64: { standard: float },
  int: { standard: checkedInteger("isSafeInt") },
  int8: { standard: numeric("isInt8") },
  int16: { standard: numeric("isInt16") },
  int32: { standard: numeric("isInt32") },
  int64: wideInteger("isSafeInt", "isInt64"),
  null: {
    standard: {
      ...any,
      type: "null",
      wireType: "null",
      test: { kind: "null" },
      writing: "bare",
      sample: "null",
    },
  },
  string: { standard: text },
  timestamp: {
    standard: timestamp,
    date: {
      ...timestamp,
      type: "Date",
      conversion: converted("Date"),
      sample: "date",
    },
  },
  uint: { standard: checkedInteger("isSafeUint") },
  uint8: { standard: numeric("isUint8") },
  uint16: { standard: numeric("isUint16") },
  uint32: { standard: numeric("isUint32") },
  uint64: wideInteger("isSafeUint", "isUint64"),
};

/**
 * Returns the form of a core type. If `isSafe` is true, limits keep its values
 * within ±(2^53-1).
 */
export function scalarForm(
  name: ScalarName,
  isSafe: boolean,
  options: Pick<EmitOptions, "int64" | "timestamp">,
): ScalarForm {
  const { bigint, bounded, date, standard } = scalarForms[name];
  if (isSafe && bounded !== undefined) return bounded;
  if (options.int64 === "bigint" && bigint !== undefined) return bigint;
  if (options.timestamp === "date" && date !== undefined) return date;
  return standard;
}

function calling(callee: string): ScalarTest {
  return { kind: "call", file: "validation", callee };
}

function converted(kind: "Bigint" | "Date"): Conversion {
  return { ...decoded(kind), encode: `encode${kind}` };
}

function decoded(kind: string): Conversion {
  const name = `decode${kind}`;
  const form = `${kind.toLowerCase()}Form`;
  return { decode: name, read: name, encode: null, key: name, form };
}

function numeric(predicate: string): ScalarForm {
  return {
    ...text,
    type: "number",
    wireType: "number",
    test: calling(predicate),
    writing: "bare",
    sample: "number",
  };
}

/** Returns the form of a 64-bit integer as a `number` within 2^53-1. */
function checkedInteger(predicate: string): ScalarForm {
  const conversion = { ...unconverted, read: "decodeSafeInt" };
  return { ...numeric(predicate), conversion };
}

function wideInteger(safe: string, wide: string): ScalarForms {
  return {
    standard: checkedInteger(safe),
    // A `number` represents these values exactly, because validation rejects
    // values outside the limits.
    bounded: numeric(safe),
    bigint: {
      ...numeric(wide),
      type: "bigint",
      wireType: "number | bigint",
      // A bigint is written as a JSON number, without conversion.
      conversion: { ...decoded("Int64"), key: null },
      sample: "bigint",
    },
  };
}
