import { isBytes } from "../../ir/bytes.js";
import type { Constraints, TypeReference } from "../../ir/contract.js";
import { isIntegerName, scalars, wireRange } from "../../ir/scalars.js";
import { type ContractIndex, mergeConstraints } from "../../ir/resolve.js";
import type { Subject } from "./change.js";
import type { Shift } from "./effects.js";
import type { Pair } from "./pairing.js";

/** Limits with their declaration. */
export interface LimitLayer {
  readonly constraints: Constraints;
  readonly subject: Subject;
  /** Whether JSON integers are accepted for strings. */
  readonly acceptsInteger: boolean;
}

/** How a value is written. In a path and as a map key, it is a string. */
export type WrittenForm = "json" | "path" | "key";

/** The kind of a value. */
export type Content =
  | "any"
  | "array"
  | "bigint"
  | "boolean"
  | "bytes"
  | "enum"
  | "file"
  | "map"
  | "null"
  | "number"
  | "object"
  | "string"
  | "timestamp";

/** The kind of a value on the wire. Structs and maps are separate kinds. */
export type WireKind = Exclude<
  Content,
  "bigint" | "bytes" | "enum" | "timestamp"
>;

/** A value at one position in a message. */
export interface WireValue {
  /** The type, with aliases resolved. */
  readonly type: TypeReference;
  readonly kind: WireKind;
  readonly form: WrittenForm;
  readonly content: Content;
  /** The numbers within the limits, or null if the value is not a number. */
  readonly numbers: NumberSet | null;
  /**
   * The numbers that the value's type in code can represent, or null if the
   * value is not a number.
   */
  readonly range: NumberSet | null;
  /** The wire values of an enum's members. */
  readonly texts: readonly string[];
  /** The kind of the value in TypeScript. */
  readonly code: Content | "date";
  /** The declaration that contains the value. */
  readonly subject: Subject;
  /** The limits of the field, followed by the limits of each alias. */
  readonly layers: readonly LimitLayer[];
}

/** A range of numbers. */
export interface NumberSet {
  readonly isWhole: boolean;
  readonly minimum: number | bigint;
  readonly maximum: number | bigint;
}

/** A field, or part of one. */
export interface ValueSource {
  readonly type: TypeReference;
  readonly constraints: Constraints;
  readonly subject: Subject;
  readonly form: WrittenForm;
}

/** Describes a value. */
export function describeValue(
  { type: reference, constraints, subject, form }: ValueSource,
  index: ContractIndex,
  modes: CodeModes,
): WireValue {
  const type = index.resolve(reference);
  const aliases = index.aliasesFrom(reference);
  const layers: readonly LimitLayer[] = [
    { constraints, subject, acceptsInteger: false },
    ...aliases.map(({ name, constraints: own, acceptsInteger }) => ({
      constraints: own,
      subject: { kind: "type", name } as const,
      acceptsInteger,
    })),
  ];
  const limits = layers
    .map((layer) => layer.constraints)
    .reduce(mergeConstraints);
  const content = contentOf(type, index);
  const whole = content === "number" ? rangeOf(type, modes.int64) : null;
  const numbers = whole && numbersWithin(whole, limits);
  return {
    type,
    kind: wireKindIn(form, content),
    form,
    content,
    numbers,
    // If the limits fit a `number`, the value is a `number` in code.
    range: numbers && isSafe(numbers) ? rangeOf(type, "number") : whole,
    texts: content === "enum" ? textsOf(type, index) : [],
    code: codeOf(content, form, numbers, modes),
    subject,
    layers,
  };
}

/** Returns the JSON kind of a type, with aliases resolved. */
export function wireKindOf(
  reference: TypeReference,
  index: ContractIndex,
): WireKind {
  return wireKindIn("json", contentOf(index.resolve(reference), index));
}

function wireKindIn(form: WrittenForm, content: Content): WireKind {
  switch (content) {
    case "boolean":
    case "number":
      return form === "json" ? content : "string";
    case "bigint":
    case "bytes":
    case "enum":
    case "string":
    case "timestamp":
      return "string";
    case "any":
    case "array":
    case "file":
    case "map":
    case "null":
    case "object":
      return content;
  }
}

function contentOf(type: TypeReference, index: ContractIndex): Content {
  switch (type.kind) {
    case "list":
      return isBytes(index, type) ? "bytes" : "array";
    case "map":
      return "map";
    case "reference":
      return index.type(type.name).kind === "enum" ? "enum" : "object";
    case "scalar": {
      const { name } = type;
      const isOwn = name === "bigint" || name === "timestamp";
      return isOwn ? name : scalars[name].wire;
    }
  }
}

function textsOf(type: TypeReference, index: ContractIndex): readonly string[] {
  const declared = type.kind === "reference" ? index.type(type.name) : null;
  return declared?.kind === "enum"
    ? declared.members.map(({ jsonValue }) => jsonValue)
    : [];
}

/** Returns the numbers of a type, regardless of its limits. */
function rangeOf(type: TypeReference, int64: CodeModes["int64"]): NumberSet {
  if (type.kind !== "scalar" || !isIntegerName(type.name)) {
    return { isWhole: false, minimum: -Infinity, maximum: Infinity };
  }
  const [minimum, maximum] = wireRange(type.name, int64);
  return { isWhole: true, minimum, maximum };
}

function numbersWithin(
  { isWhole, minimum, maximum }: NumberSet,
  limits: Constraints,
): NumberSet {
  return {
    isWhole,
    minimum: largest(minimum, limits.minimum ?? minimum),
    maximum: smallest(maximum, limits.maximum ?? maximum),
  };
}

type NumberLimit = number | bigint;

function largest(a: NumberLimit, b: NumberLimit): NumberLimit {
  return a >= b ? a : b;
}

function smallest(a: NumberLimit, b: NumberLimit): NumberLimit {
  return a <= b ? a : b;
}

function codeOf(
  content: Content,
  form: WrittenForm,
  numbers: NumberSet | null,
  modes: CodeModes,
): WireValue["code"] {
  // Map keys are strings, unless their type is an enum.
  if (form === "key") return content === "enum" ? content : "string";
  if (content === "timestamp") {
    return modes.timestamp === "date" ? "date" : "string";
  }
  return numbers && !isSafe(numbers) ? "bigint" : content;
}

/** Floats are also safe, because they are numbers in code. */
function isSafe({ isWhole, minimum, maximum }: NumberSet): boolean {
  const [least, most] = wireRange("int", "number");
  return !isWhole || (minimum >= least && maximum <= most);
}

/** Returns the effect of a different type on code that uses the value. */
export function codeShiftOf({ before, after }: Pair<WireValue>): Shift {
  const isRead =
    // Code that reads certain keys of a map still works if there can be other
    // keys.
    before.form === "key" || isAssignable(after.code, before.code);
  return {
    narrower: isAssignable(before.code, after.code) ? undefined : "error",
    wider: isRead ? undefined : "error",
  };
}

/** Whether code can use a value of one kind where it expects the other. */
function isAssignable(from: WireValue["code"], to: WireValue["code"]): boolean {
  return from === to || to === "any" || (from === "enum" && to === "string");
}

/** Code generation settings that determine whose code a change affects. */
export interface CodeModes {
  /**
   * The type of 64-bit integers in code. A `number` must be within ±(2^53-1).
   */
  readonly int64: "number" | "bigint";
  readonly timestamp: "string" | "date";
}

/** The default settings. */
export const defaultModes: CodeModes = { int64: "number", timestamp: "string" };
