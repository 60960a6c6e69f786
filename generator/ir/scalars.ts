import { integerText, type TextRule, timeText } from "./text-rule.js";

/**
 * Language-independent facts about a core type. What a target or a tool does
 * with its values follows from them.
 */
export interface Scalar {
  /** The JSON type: `any` is any JSON value, `file` has none. */
  readonly wire: "any" | "boolean" | "file" | "null" | "number" | "string";
  /** The smallest and largest value of an integer type, or null. */
  readonly range: readonly [bigint, bigint] | null;
  /**
   * Which constraints apply: `minimum` and the like, `minLength` and the like,
   * or none.
   */
  readonly limits: "number" | "text" | null;
  /** Which strings are values. Null if all are, or if values have no text. */
  readonly text: TextRule | null;
  /** Description of a value without constraints, e.g. `an 8-bit integer`. */
  readonly title: string;
  /** Description of the JSON, e.g. `an RFC 3339 string`. */
  readonly json: string;
}

interface Integer extends Scalar {
  readonly range: readonly [bigint, bigint];
}

interface Text extends Scalar {
  readonly wire: "string";
}

/** All core types except lists and maps. */
export const scalars = {
  byte: unsigned(8, "an unsigned 8-bit integer"),
  int: signed(64, "an integer"),
  int8: signed(8, "an 8-bit integer"),
  int16: signed(16, "a 16-bit integer"),
  int32: signed(32, "a 32-bit integer"),
  int64: signed(64, "an integer"),
  uint: unsigned(64, "an unsigned integer"),
  uint8: unsigned(8, "an unsigned 8-bit integer"),
  uint16: unsigned(16, "an unsigned 16-bit integer"),
  uint32: unsigned(32, "an unsigned 32-bit integer"),
  uint64: unsigned(64, "an unsigned integer"),
  any: other("any", "a value", "any value"),
  bigint: text("a string that represents an integer", "a string", {
    limits: "number",
    text: integerText,
  }),
  bool: other("boolean", "a boolean", "a boolean"),
  file: other("file", "a file", "a file, next to the JSON"),
  float32: { ...other("number", "a number", "a number"), limits: "number" },
  float64: { ...other("number", "a number", "a number"), limits: "number" },
  null: other("null", "null", "`null`"),
  string: text("a string", "a string", { limits: "text", text: null }),
  timestamp: text("a timestamp", "an RFC 3339 string", {
    limits: null,
    text: timeText,
  }),
} as const satisfies Readonly<Record<string, Scalar>>;

/** Names of the core types except lists and maps. */
export type ScalarName = keyof typeof scalars;

/** Names of the integer core types. */
export type IntegerName = {
  [Name in ScalarName]: (typeof scalars)[Name] extends Integer ? Name : never;
}[ScalarName];

/** Names of the core types whose JSON is a string. */
export type TextName = {
  [Name in ScalarName]: (typeof scalars)[Name] extends Text ? Name : never;
}[ScalarName];

function signed(bits: number, title: string): Integer {
  const end = 2n ** BigInt(bits - 1);
  return integer([-end, end - 1n], title);
}

function unsigned(bits: number, title: string): Integer {
  return integer([0n, 2n ** BigInt(bits) - 1n], title);
}

function integer(range: Integer["range"], title: string): Integer {
  const number = other("number", title, "a number");
  return { ...number, range, limits: "number" };
}

function text(
  title: string,
  json: string,
  rule: Pick<Scalar, "limits" | "text">,
): Text {
  return { ...other("string", title, json), wire: "string", ...rule };
}

function other(wire: Scalar["wire"], title: string, json: string): Scalar {
  return { wire, range: null, limits: null, text: null, title, json };
}

/** Whether the word is a core type such as `uint32`. Case matters. */
export function isScalarName(word: string): word is ScalarName {
  return names.has(word);
}

/**
 * Whether the core type has values that a number cannot represent. The values
 * of `int` and `uint` are always limited to ±(2^53-1).
 */
export function isWideInteger(name: ScalarName): name is WideInteger {
  return name === "int64" || name === "uint64";
}

/** Names of the core types that are `bigint` in code with `int64: bigint`. */
export type WideInteger = "int64" | "uint64";

/**
 * Returns the smallest and largest integer of a type on the wire: within
 * ±(2^53-1), unless code represents the type as a `bigint`.
 */
export function wireRange(
  name: IntegerName,
  int64: "bigint" | "number",
): readonly [bigint, bigint] {
  const [least, most] = scalars[name].range;
  if (int64 === "bigint" && isWideInteger(name)) return [least, most];
  return [
    least < -largestSafe ? -largestSafe : least,
    most > largestSafe ? largestSafe : most,
  ];
}

const largestSafe = BigInt(Number.MAX_SAFE_INTEGER);

// Looking up a word in a set is faster than in an object.
const names: ReadonlySet<string> = new Set(Object.keys(scalars));

/** The names of all core types. */
export const scalarNames: readonly ScalarName[] = [...names].filter(
  isScalarName,
);

/** Whether the word is an integer core type. */
export function isIntegerName(word: string): word is IntegerName {
  return isScalarName(word) && scalars[word].range !== null;
}

/** Whether the JSON of a core type is a string. */
export function isTextName(name: ScalarName): name is TextName {
  return scalars[name].wire === "string";
}

/** Whether a list of this core type is bytes, which are base64 on the wire. */
export function isByteName(name: ScalarName): boolean {
  return name === "byte" || name === "uint8";
}
