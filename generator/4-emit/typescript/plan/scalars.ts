import type { ScalarName } from "../../../ir/contract.js";
import type { EmitOptions } from "../../emitter/emitter.js";
import { camelCase } from "../../names/casing.js";

/** Functions of `runtime/codec` between wire and TypeScript; null: nothing to do. */
export interface Conversion {
  /** For servers, which have validated before. */
  readonly decode: string | null;
  /** For clients: also what only refuses a value that the type cannot hold. */
  readonly read: string | null;
  readonly encode: string | null;
  /** What knows both forms, in `runtime/schema`. */
  readonly form: string | null;
}

/** A conversion of values that are the same on both sides. */
export const unconverted: Conversion = {
  decode: null,
  read: null,
  encode: null,
  form: null,
};

/** How code tells that a value on the wire fits a core type. */
export type ScalarTest =
  /** `typeof value === "string"`, or a function of `runtime/validation`. */
  | {
      readonly kind: "typeof";
      readonly type: "string" | "boolean";
      readonly callee: string;
    }
  /** `value !== undefined`, for what takes everything, or `value === null`. */
  | { readonly kind: "present" }
  | { readonly kind: "null" }
  /** A function of a file of the runtime. */
  | { readonly kind: "call"; readonly file: string; readonly callee: string };

/**
 * How JSON has a value: as it is, in quotes, in quotes and escaped, or as
 * JSON's own function finds out.
 */
export type Writing = "bare" | "quoted" | "escaped" | "any";

/** Everything that generated TypeScript depends on of a core type. */
export interface ScalarForm {
  /** Its TypeScript type. */
  readonly type: string;
  /** File of the runtime that exports the type; null for a type of the language. */
  readonly typeFile: string | null;
  /** TypeScript type of a value before it is decoded. */
  readonly wireType: string;
  readonly test: ScalarTest;
  readonly conversion: Conversion;
  /** Whether it is converted only where numbers are read without rounding. */
  readonly isConvertedIfExact: boolean;
  /** Of text, escaped unless its pattern rules out what JSON escapes. */
  readonly writing: Writing;
  /** Whether null is one of its values, or its values are no JSON. */
  readonly isOpen: boolean;
  /** What a literal of it looks like in a sample. */
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
  test: { kind: "present" },
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
  // Read without rounding, one without a fraction may be a `bigint`.
  conversion: decoded("Float"),
  isConvertedIfExact: true,
};

/** The forms of a core type; what a project or a limit decides differs. */
interface ScalarForms {
  readonly usual: ScalarForm;
  /** Where limits keep a 64-bit integer within 2^53-1. */
  readonly bounded?: ScalarForm;
  /** With `int64: bigint`. */
  readonly bigint?: ScalarForm;
  /** With `timestamp: date`. */
  readonly date?: ScalarForm;
}

/** The one place of the TypeScript target that knows every core type. */
const scalarForms: Readonly<Record<ScalarName, ScalarForms>> = {
  any: { usual: any },
  bigint: {
    usual: {
      ...text,
      type: "bigint",
      test: calling("isBigintText"),
      conversion: converted("Bigint"),
      writing: "quoted",
      sample: "bigint",
    },
  },
  bool: {
    usual: {
      ...numeric("isBoolean"),
      type: "boolean",
      wireType: "boolean",
      test: { kind: "typeof", type: "boolean", callee: "isBoolean" },
      sample: "boolean",
    },
  },
  byte: { usual: numeric("isUint8") },
  file: {
    usual: {
      ...any,
      type: "FileData",
      typeFile: "file-data",
      test: { kind: "call", file: "file-data", callee: "isFileData" },
      sample: "file",
    },
  },
  float32: { usual: float },
  float64: { usual: float },
  int: { usual: checkedInteger("isSafeInt") },
  int8: { usual: numeric("isInt8") },
  int16: { usual: numeric("isInt16") },
  int32: { usual: numeric("isInt32") },
  int64: wideInteger("isSafeInt", "isInt64"),
  null: {
    usual: {
      ...any,
      type: "null",
      wireType: "null",
      test: { kind: "null" },
      writing: "bare",
      sample: "null",
    },
  },
  string: { usual: text },
  timestamp: {
    usual: timestamp,
    date: {
      ...timestamp,
      type: "Date",
      conversion: converted("Date"),
      sample: "date",
    },
  },
  uint: { usual: checkedInteger("isSafeUint") },
  uint8: { usual: numeric("isUint8") },
  uint16: { usual: numeric("isUint16") },
  uint32: { usual: numeric("isUint32") },
  uint64: wideInteger("isSafeUint", "isUint64"),
};

/**
 * The form of a core type in a project.
 *
 * Input: `isSafe`: limits keep a 64-bit integer within 2^53-1.
 */
export function scalarForm(
  name: ScalarName,
  isSafe: boolean,
  options: Pick<EmitOptions, "int64" | "timestamp">,
): ScalarForm {
  const { bigint, bounded, date, usual } = scalarForms[name];
  if (isSafe && bounded !== undefined) return bounded;
  if (options.int64 === "bigint" && bigint !== undefined) return bigint;
  if (options.timestamp === "date" && date !== undefined) return date;
  return usual;
}

function calling(callee: string): ScalarTest {
  return { kind: "call", file: "validation", callee };
}

function converted(kind: "Bigint" | "Date"): Conversion {
  return { ...decoded(kind), encode: `encode${kind}` };
}

function decoded(kind: string): Conversion {
  const name = `decode${kind}`;
  const form = `${camelCase(kind)}Form`;
  return { decode: name, read: name, encode: null, form };
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

/** An integer of 64 bits as a `number`, which clients refuse beyond 2^53-1. */
function checkedInteger(predicate: string): ScalarForm {
  const conversion = { ...unconverted, read: "decodeSafeInt" };
  return { ...numeric(predicate), conversion };
}

function wideInteger(safe: string, wide: string): ScalarForms {
  return {
    usual: checkedInteger(safe),
    // JSON numbers hold it. Checks find what the contract rules out.
    bounded: numeric(safe),
    bigint: {
      ...numeric(wide),
      type: "bigint",
      wireType: "number | bigint",
      // A bigint is written as it is: as a JSON number.
      conversion: decoded("Int64"),
      sample: "bigint",
    },
  };
}
