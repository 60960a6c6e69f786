import { isBytes } from "../../ir/bytes.js";
import type { Constraints, TypeReference } from "../../ir/contract.js";
import { isIntegerName, scalars } from "../../ir/scalars.js";
import type { ContractIndex } from "../../ir/resolve.js";
import { mergeConstraints } from "../../ir/resolve.js";
import type { Subject } from "./change.js";
import type { Shift } from "./effects.js";
import type { CodeModes } from "./modes.js";
import type { Pair } from "./pairing.js";

/** Limits, and what declares them. */
export interface LimitLayer {
  readonly constraints: Constraints;
  readonly subject: Subject;
  /** Whether JSON integers are accepted for texts. */
  readonly acceptsInteger: boolean;
}

/** How a value is written: in a path and as a key of a map it is text. */
export type WrittenForm = "json" | "path" | "key";

/** What a value is. */
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

/**
 * What a value is on the wire. A struct is an `object`, a map a `map`, though
 * JSON has one word for them.
 */
export type WireKind = Exclude<
  Content,
  "bigint" | "bytes" | "enum" | "timestamp"
>;

/** What stands in one place of a message. */
export interface WireValue {
  /** Aliases are looked through. */
  readonly type: TypeReference;
  readonly kind: WireKind;
  readonly form: WrittenForm;
  readonly content: Content;
  /** Numbers within its limits; null if it is no number. */
  readonly numbers: NumberSet | null;
  /** Numbers that code that reads it can hold, whatever its limits. */
  readonly range: NumberSet | null;
  /** Texts of the members of an enum. */
  readonly texts: readonly string[];
  /** What it is in TypeScript. */
  readonly code: Content | "date";
  /** What declares it. */
  readonly subject: Subject;
  /** What the field says first, then each alias on the way to the type. */
  readonly layers: readonly LimitLayer[];
}

/** A range of numbers. */
export interface NumberSet {
  readonly isWhole: boolean;
  readonly minimum: number | bigint;
  readonly maximum: number | bigint;
}

/** A field, or a part of one. */
export interface ValueSource {
  readonly type: TypeReference;
  readonly constraints: Constraints;
  readonly subject: Subject;
  readonly form: WrittenForm;
}

/** All there is to know about a value. */
export function describeValue(
  { type: reference, constraints, subject, form }: ValueSource,
  index: ContractIndex,
  modes: CodeModes,
): WireValue {
  const type = index.resolve(reference);
  const aliases = index.aliasesFrom(reference);
  const layers: readonly LimitLayer[] = [
    { constraints, subject, acceptsInteger: false },
    // Keys of maps have no limits.
    ...(form === "key" ? [] : aliases).map(
      ({ name, constraints: own, acceptsInteger }) => ({
        constraints: own,
        subject: { kind: "type", name } as const,
        acceptsInteger,
      }),
    ),
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
    // Limits that suit a `number` make it one in code.
    range: numbers && isSafe(numbers) ? rangeOf(type, "number") : whole,
    texts: content === "enum" ? textsOf(type, index) : [],
    code: codeOf(content, form, numbers, modes),
    subject,
    layers,
  };
}

/** What values of a type are in JSON; aliases are looked through. */
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

const maxSafe = BigInt(Number.MAX_SAFE_INTEGER);

/** The numbers of a type, whatever its limits. */
function rangeOf(type: TypeReference, int64: CodeModes["int64"]): NumberSet {
  if (type.kind !== "scalar" || !isIntegerName(type.name)) {
    return { isWhole: false, minimum: -Infinity, maximum: Infinity };
  }
  const [minimum, maximum] = scalars[type.name].range;
  const isExact =
    int64 === "bigint" && (type.name === "int64" || type.name === "uint64");
  // All others are numbers in code, which hold no more.
  return {
    isWhole: true,
    minimum: isExact ? minimum : largest(minimum, -maxSafe),
    maximum: isExact ? maximum : smallest(maximum, maxSafe),
  };
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
  // Keys of maps are texts, but for those of enums.
  if (form === "key") return content === "enum" ? content : "string";
  if (content === "timestamp") {
    return modes.timestamp === "date" ? "date" : "string";
  }
  return numbers && !isSafe(numbers) ? "bigint" : content;
}

/** Of floats too: they are numbers. */
function isSafe({ isWhole, minimum, maximum }: NumberSet): boolean {
  return !isWhole || (minimum >= -maxSafe && maximum <= maxSafe);
}

/** What another type does to code that has a value. */
export function codeShiftOf({ before, after }: Pair<WireValue>): Shift {
  const isRead =
    // Whoever reads some keys of a map can do so if it may have others, too.
    before.form === "key" || isAssignable(after.code, before.code);
  return {
    narrower: isAssignable(before.code, after.code) ? undefined : "error",
    wider: isRead ? undefined : "error",
  };
}

/** Whether code that has the one can use it as the other. */
function isAssignable(from: WireValue["code"], to: WireValue["code"]): boolean {
  return from === to || to === "any" || (from === "enum" && to === "string");
}
