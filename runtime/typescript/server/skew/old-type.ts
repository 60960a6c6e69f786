import {
  isBase64,
  isBigintText,
  isLengthWithin,
  isRecord,
  isString,
  isTimestamp,
  isUrl,
} from "../../values/predicates.js";
import { same } from "../../values/same.js";
import { isUnique } from "../../values/unique.js";

/**
 * The values that an earlier contract allowed at one place. Source: `OldType` of
 * the history that `ridl breaking --record` writes.
 */
export interface OldType {
  readonly type:
    | "any"
    | "boolean"
    | "integer"
    | "list"
    | "null"
    | "number"
    | "object"
    | "string"
    | "union"
    | "unknown";
  readonly isText?: true;
  readonly mayBeAbsent?: true;
  readonly mayBeNull?: true;
  readonly mayBeInteger?: true;
  readonly enum?: readonly (boolean | number | string)[];
  readonly minimum?: number | string;
  readonly maximum?: number | string;
  readonly min?: number;
  readonly max?: number;
  readonly isUnique?: true;
  readonly patterns?: readonly string[];
  readonly format?: "base64" | "date-time" | "uri";
  readonly items?: OldType;
  readonly keys?: OldType;
  readonly fields?: Readonly<Record<string, OldType>>;
  readonly rest?: OldType;
  readonly variants?: readonly OldType[];
  readonly choice?: readonly string[];
  readonly openTag?: string;
}

/** Larger values are not checked to their end. */
const maxValues = 10_000;

/** Longer texts are not compared with patterns. */
const maxPatternText = 10_000;

/** Whether an earlier contract allowed a value, if this is known. */
export type Verdict = "allowed" | "forbidden" | "unknown";

/**
 * Says whether an earlier contract allowed a value. Absent is `undefined`. The
 * work is limited, whatever the value is.
 */
export function judge(type: OldType, value: unknown): Verdict {
  const reading = new Reading();
  if (!reading.allows(type, value, type.isText === true)) return "forbidden";
  return reading.isComplete ? "allowed" : "unknown";
}

/** Counts the values that it has seen. */
class Reading {
  /** Whether each part of the value was compared. */
  isComplete = true;
  #count = 0;

  /** Input: `isText` is whether numbers are strings, e.g. in an address. */
  allows(type: OldType, value: unknown, isText: boolean): boolean {
    this.#count += 1;
    if (this.#count > maxValues || type.type === "unknown") {
      this.isComplete = false;
      return true;
    }
    if (value === undefined) return type.mayBeAbsent === true;
    if (value === null && type.mayBeNull === true) return true;
    const read = isText ? fromText(type, value) : value;
    return this.#isOfType[type.type](type, read, isText) && fits(type, read);
  }

  readonly #isOfType: Readonly<
    Record<
      OldType["type"],
      (type: OldType, value: unknown, isText: boolean) => boolean
    >
  > = {
    any: () => true,
    boolean: (_, value) => typeof value === "boolean",
    integer: (_, value) => isWhole(value),
    list: (type, value, isText) => this.#isList(type, value, isText),
    null: (_, value) => value === null,
    number: (_, value) => typeof value === "bigint" || Number.isFinite(value),
    object: (type, value) => this.#isObject(type, value),
    string: ({ format, mayBeInteger }, value) =>
      typeof value === "string"
        ? format === undefined || formats[format](value)
        : mayBeInteger === true && isWhole(value),
    union: (type, value) => this.#isUnion(type, value),
    unknown: () => true,
  };

  #isList({ items }: OldType, value: unknown, isText: boolean): boolean {
    return (
      Array.isArray(value) &&
      (items === undefined ||
        value.every((item) => this.allows(items, item, isText)))
    );
  }

  #isObject(
    { fields = {}, items, keys, rest }: OldType,
    value: unknown,
  ): boolean {
    if (!isRecord(value)) return false;
    const isAllowed = Object.entries(fields).every(([name, field]) =>
      this.allows(field, own(value, name), false),
    );
    if (!isAllowed) return false;
    const others = Object.entries(value).filter(
      ([name]) => !Object.hasOwn(fields, name),
    );
    if (rest !== undefined)
      return this.allows(rest, Object.fromEntries(others), false);
    return others.every(
      ([name, item]) =>
        (keys === undefined || this.allows(keys, name, true)) &&
        (items === undefined || this.allows(items, item, false)),
    );
  }

  #isUnion({ choice, openTag, variants = [] }: OldType, value: unknown) {
    if (variants.some((each) => this.allows(each, value, false))) {
      const present = choice?.filter(
        (name) => isRecord(value) && own(value, name) != null,
      );
      return present === undefined || present.length === 1;
    }
    const tag =
      openTag !== undefined && isRecord(value) ? own(value, openTag) : null;
    return typeof tag === "string" && !tagsOf(variants, openTag).has(tag);
  }
}

/** Returns the tags that an open union knows. */
function tagsOf(
  variants: readonly OldType[],
  tag: string | undefined,
): ReadonlySet<unknown> {
  return new Set(
    variants.flatMap(({ fields = {} }) =>
      tag !== undefined && Object.hasOwn(fields, tag)
        ? (fields[tag]?.enum ?? [])
        : [],
    ),
  );
}

function own(record: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/** Also accepts integers that were rounded when they were read. */
function isWhole(value: unknown): boolean {
  return typeof value === "bigint" || Number.isInteger(value);
}

const formats: Readonly<
  Record<NonNullable<OldType["format"]>, (text: string) => boolean>
> = {
  base64: isBase64,
  "date-time": isTimestamp,
  uri: isUrl,
};

/** Reads a value of an address as an earlier contract did. */
function fromText(type: OldType, value: unknown): unknown {
  if (type.type === "list") return Array.isArray(value) ? value : [value];
  const [only, ...others] = Array.isArray(value) ? value : [value];
  if (others.length > 0) return value;
  // What the current contract reads as a number may have been rounded.
  const isRead = typeof only !== "string" && type.type !== "string";
  if (isRead) return only;
  const text = String(only);
  switch (type.type) {
    case "integer":
      return /^(?:0|-?[1-9]\d{0,19})$/.test(text) ? readWhole(text) : text;
    case "number":
      return /^-?\d[\d.eE+-]{0,400}$/.test(text) ? Number(text) : text;
    case "boolean":
      return text === "true" || (text === "false" ? false : text);
    case "any":
    case "null":
    case "object":
    case "string":
    case "union":
    case "unknown":
      return text;
  }
}

function readWhole(text: string): number | bigint {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}

/** Whether a value is within limits. */
function fits(type: OldType, value: unknown): boolean {
  const { enum: allowed, isUnique: mustDiffer } = type;
  if (allowed && !allowed.some((each) => isSame(each, value))) return false;
  if (isNumeric(value)) return isInRange(type, value);
  if (isString(value)) return fitsText(type, value);
  if (Array.isArray(value))
    return (
      hasSize(type, value.length) &&
      (mustDiffer !== true || isUnique(value, same))
    );
  return !isRecord(value) || hasSize(type, Object.keys(value).length);
}

function isSame(allowed: unknown, value: unknown): boolean {
  return isNumeric(value)
    ? String(allowed) === String(value)
    : allowed === value;
}

function isNumeric(value: unknown): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

function fitsText(type: OldType, text: string): boolean {
  const { max = Infinity, maximum, min = 0, minimum, patterns = [] } = type;
  const isNumber = minimum !== undefined || maximum !== undefined;
  if (isNumber && !(isBigintText(text) && isInRange(type, BigInt(text))))
    return false;
  if (!isLengthWithin(text, min, max)) return false;
  if (patterns.length > 0 && text.length > maxPatternText) return false;
  return patterns.every((pattern) => new RegExp(pattern, "u").test(text));
}

function hasSize({ max = Infinity, min = 0 }: OldType, size: number): boolean {
  return size >= min && size <= max;
}

function isInRange(
  { maximum = Infinity, minimum = -Infinity }: OldType,
  value: number | bigint,
): boolean {
  const [least, most] = [toLimit(minimum), toLimit(maximum)];
  if (value >= least && value <= most) return true;
  // A large integer was rounded when it was read, and its limit was not.
  const isRounded = Number.isInteger(value) && !Number.isSafeInteger(value);
  return isRounded && value >= Number(least) && value <= Number(most);
}

function toLimit(limit: number | string): number | bigint {
  return typeof limit === "string" ? BigInt(limit) : limit;
}
