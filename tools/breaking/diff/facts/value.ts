import type {
  Constraints,
  TypeReference,
} from "../../../../generator/ir/contract.js";
import {
  isIntegerName,
  isTextName,
  type Scalar,
  scalars,
  type TextName,
  wireRange,
} from "../../../../generator/ir/scalars.js";
import { enumValuesOf } from "../../../../generator/values/allowed-values.js";
import { mergeConstraints } from "../../../../generator/values/limits.js";
import {
  addLimits,
  aliasesOf,
  type ResolvedValue,
  type ContractValues,
} from "../../../../generator/values/value.js";
import type { WireOptions } from "../../../../generator/values/wire-options.js";
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

/** How a value is written. Except in JSON, it is a string. */
export type WrittenForm = "json" | "path" | "query" | "key";

/**
 * The kind of a value on the wire. Structs and maps are separate kinds, and so
 * are unions, whose values can have several kinds of JSON.
 */
export type WireKind = Scalar["wire"] | "array" | "map" | "object" | "union";

/**
 * The kind of a value. Each core type whose JSON is a string is a kind of its
 * own, because its strings differ from those of others.
 */
export type Content = WireKind | TextName | "bytes" | "enum";

/** A value at one position in a message. */
export interface WireValue {
  readonly value: ResolvedValue;
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
  /** The wire values of the members of an enum that limits allow. */
  readonly texts: readonly string[];
  /** The kind of the value in TypeScript. */
  readonly code: Content | "date";
  /** The declaration that contains the value. */
  readonly subject: Subject;
  /** Whether it is an item of a list or map that can be null. */
  readonly isNullableItem: boolean;
  /** Whether `nullAsEmpty` has an effect: a required list, map or `[]byte`. */
  readonly canReadNull: boolean;
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
  /** Whether the value can neither be absent nor null. */
  readonly isRequired: boolean;
  /** Whether it is an item of a list, or a value of a map. */
  readonly isItem: boolean;
}

/** Describes a value. */
export function describeValue(
  { type, constraints, subject, form, isItem, isRequired }: ValueSource,
  values: ContractValues,
  modes: CodeModes,
): WireValue {
  const value = addLimits(values.valueOf(type), constraints);
  const layers: readonly LimitLayer[] = [
    { constraints, subject, acceptsInteger: false },
    ...aliasesOf(value).map(({ name, constraints: own, acceptsInteger }) => ({
      constraints: own,
      subject: { kind: "type", name } as const,
      acceptsInteger,
    })),
  ];
  const { content, kind } = contentOf(value);
  const whole = content === "number" ? rangeOf(value, modes.int64) : null;
  const numbers = whole && numbersWithin(whole, value.limits);
  return {
    value,
    type: value.type,
    // Numbers and booleans are strings in an address and as map keys.
    kind: form !== "json" && isBare(kind) ? "string" : kind,
    form,
    content,
    numbers,
    // If the limits fit a `number`, the value is a `number` in code.
    range: numbers && isSafe(numbers) ? rangeOf(value, "number") : whole,
    texts: textsOf(value),
    code: codeOf(content, form, numbers, modes),
    subject,
    isNullableItem: isItem && value.isNullable,
    canReadNull:
      isRequired &&
      form === "json" &&
      canBeEmpty(value) &&
      !(isItem && value.isNullable),
    layers,
  };
}

/** Whether a value is a list, a map or bytes, which can be empty. */
export function canBeEmpty({ kind }: ResolvedValue): boolean {
  switch (kind) {
    case "bytes":
    case "list":
    case "map":
      return true;
    case "scalar":
    case "enum":
    case "struct":
    case "union":
      return false;
  }
}

/** Returns the JSON kind of a type. */
export function wireKindOf(value: ResolvedValue): WireKind {
  return contentOf(value).kind;
}

/** Returns the kind of a value, and the kind of its JSON. */
function contentOf(value: ResolvedValue): Pick<WireValue, "content" | "kind"> {
  switch (value.kind) {
    case "bytes":
    case "enum":
      return { content: value.kind, kind: "string" };
    case "list":
      return { content: "array", kind: "array" };
    case "map":
      return { content: "map", kind: "map" };
    case "struct":
      return { content: "object", kind: "object" };
    case "union":
      return { content: "union", kind: "union" };
    case "scalar": {
      const { scalar } = value;
      const { wire } = scalars[scalar];
      return { content: isTextName(scalar) ? scalar : wire, kind: wire };
    }
  }
}

function isBare(kind: WireKind): boolean {
  return kind === "boolean" || kind === "number";
}

function textsOf(value: ResolvedValue): readonly string[] {
  return value.kind === "enum" ? enumValuesOf(value) : [];
}

/** Returns the numbers of a type, regardless of its limits. */
function rangeOf(value: ResolvedValue, int64: CodeModes["int64"]): NumberSet {
  if (value.kind !== "scalar" || !isIntegerName(value.scalar)) {
    return { isWhole: false, minimum: -Infinity, maximum: Infinity };
  }
  const [minimum, maximum] = wireRange(value.scalar, int64);
  return { isWhole: true, minimum, maximum };
}

function numbersWithin(numbers: NumberSet, limits: Constraints): NumberSet {
  const { isWhole, minimum, maximum } = numbers;
  const merged = mergeConstraints({ minimum, maximum }, limits);
  const listed = merged.enum?.filter(
    (value) => typeof value !== "string" && typeof value !== "boolean",
  );
  const [first, ...others] = listed ?? [];
  if (first !== undefined) {
    return {
      isWhole,
      minimum: others.reduce(
        (least, each) => (each < least ? each : least),
        first,
      ),
      maximum: others.reduce(
        (most, each) => (each > most ? each : most),
        first,
      ),
    };
  }
  return {
    isWhole,
    minimum: merged.minimum ?? minimum,
    maximum: merged.maximum ?? maximum,
  };
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

/** The settings that determine which messages and which code a change affects. */
export type CodeModes = WireOptions;

/** The default settings. */
export const defaultModes: CodeModes = { int64: "number", timestamp: "string" };
