import { isBytes } from "../../ir/bytes.js";
import type { Constraints, Enum, TypeReference } from "../../ir/contract.js";
import { isIntegerName, scalars } from "../../ir/scalars.js";
import type { ContractIndex } from "../../ir/resolve.js";
import { mergeConstraints } from "../../ir/resolve.js";
import type { Subject } from "./change.js";
import type { Shift } from "./effects.js";
import type { CodeModes } from "./modes.js";
import type { Pair } from "./pairing.js";
import { type WireKind, wireKindOf } from "./wire-kind.js";

/** Limits, and what declares them. */
export interface LimitLayer {
  readonly constraints: Constraints;
  readonly subject: Subject;
  /** Whether JSON integers are accepted for texts. */
  readonly acceptsInteger: boolean;
}

/** How a value is written: in a path and as a key of a map it is text. */
export type WrittenForm = "json" | "path" | "key";

/** What stands in one place of a message. */
export interface WireValue {
  /** Aliases are looked through. */
  readonly type: TypeReference;
  readonly kind: WireKind;
  readonly form: WrittenForm;
  readonly content: Content;
  /** What it is in TypeScript. */
  readonly code: CodeForm;
  /** What declares it. */
  readonly subject: Subject;
  /** What the field says first, then each alias on the way to the type. */
  readonly layers: readonly LimitLayer[];
}

/** What it holds, where that is a number or a text. */
export type Content =
  | {
      readonly kind: "number";
      /** Within its limits. */
      readonly numbers: NumberSet;
      /** What code that reads it can hold, whatever its limits. */
      readonly range: NumberSet;
    }
  | { readonly kind: "enum"; readonly texts: readonly string[] }
  | { readonly kind: "string" | "timestamp" | "bigint" | "bytes" | "boolean" }
  /** Neither: it is compared by its parts, or by its kind alone. */
  | { readonly kind: "other" };

/** A range of numbers. */
export interface NumberSet {
  readonly isWhole: boolean;
  readonly minimum: number | bigint;
  readonly maximum: number | bigint;
}

/** What tells TypeScript types apart. */
export type CodeForm =
  | "bigint"
  | "boolean"
  | "bytes"
  | "date"
  | "enum"
  | "number"
  | "other"
  | "string"
  | "unknown";

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
  const content = contentOf(type, limits, index, modes);
  const kind = wireKindOf(type, index);
  const isText = form !== "json" && content.kind !== "other";
  return {
    type,
    kind: isText ? "string" : kind,
    form,
    content,
    code:
      form === "key"
        ? codeFormOfKey(content)
        : codeFormOf(type, content, modes),
    subject,
    layers,
  };
}

function contentOf(
  type: TypeReference,
  limits: Constraints,
  index: ContractIndex,
  modes: CodeModes,
): Content {
  if (isBytes(index, type)) return { kind: "bytes" };
  if (type.kind === "reference") {
    const declared = index.type(type.name);
    return declared.kind === "enum"
      ? { kind: "enum", texts: textsOf(declared) }
      : { kind: "other" };
  }
  if (type.kind !== "scalar") return { kind: "other" };
  const { name } = type;
  switch (scalars[name].wire) {
    case "any":
    case "file":
    case "null":
      return { kind: "other" };
    case "boolean":
      return { kind: "boolean" };
    case "number":
      return numbersOf(type, limits, modes);
    case "string":
      return {
        kind: name === "bigint" || name === "timestamp" ? name : "string",
      };
  }
}

function textsOf({ members }: Enum): readonly string[] {
  return members.map(({ jsonValue }) => jsonValue);
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

function numbersOf(
  type: TypeReference,
  limits: Constraints,
  { int64 }: CodeModes,
): Content {
  const range = rangeOf(type, int64);
  const { isWhole, minimum, maximum } = range;
  const numbers = {
    isWhole,
    minimum: largest(minimum, limits.minimum ?? minimum),
    maximum: smallest(maximum, limits.maximum ?? maximum),
  };
  return {
    kind: "number",
    numbers,
    // Limits that suit a `number` make it one in code.
    range: isSafe(numbers) ? rangeOf(type, "number") : range,
  };
}

type NumberLimit = number | bigint;

function largest(a: NumberLimit, b: NumberLimit): NumberLimit {
  return a >= b ? a : b;
}

function smallest(a: NumberLimit, b: NumberLimit): NumberLimit {
  return a <= b ? a : b;
}

function codeFormOf(
  type: TypeReference,
  content: Content,
  modes: CodeModes,
): CodeForm {
  switch (content.kind) {
    case "timestamp":
      return modes.timestamp === "date" ? "date" : "string";
    case "number":
      return isSafe(content.numbers) ? "number" : "bigint";
    case "other":
      return type.kind === "scalar" && type.name === "any"
        ? "unknown"
        : "other";
    case "bigint":
    case "boolean":
    case "bytes":
    case "enum":
    case "string":
      return content.kind;
  }
}

/** Keys of maps are texts, but for those of enums. */
function codeFormOfKey({ kind }: Content): CodeForm {
  return kind === "enum" ? kind : "string";
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
function isAssignable(from: CodeForm, to: CodeForm): boolean {
  if (from === "other" && to === "other") return false;
  return (
    from === to || to === "unknown" || (from === "enum" && to === "string")
  );
}
