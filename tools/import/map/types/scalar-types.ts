import { isHarmless } from "../../../../generator/pattern/time/analyze-pattern.js";
import type { DocumentPart } from "../../read/document-part.js";
import type { NoteLog } from "../../notes/note.js";
import type { MappedType, Meta } from "../../model/model.js";
import { decimalLimits, integerLimits } from "./number-limits.js";
import type { SchemaView } from "./schema-view.js";

const integers: ReadonlySet<string> = new Set([
  "int8",
  "int16",
  "int32",
  "int64",
  "uint8",
  "uint16",
  "uint32",
  "uint64",
]);

/** Formats that RIDL checks as a pattern, each as one alias. */
export const patternFormats: ReadonlyMap<
  string,
  { readonly name: string; readonly pattern: string; readonly title: string }
> = new Map([
  [
    "uuid",
    {
      name: "Uuid",
      pattern:
        "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$",
      title: "a UUID",
    },
  ],
  [
    "date",
    {
      name: "Date",
      pattern: "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$",
      title: "a date such as 2026-01-31",
    },
  ],
]);

/** Formats that say how people enter text, and nothing about values. */
const display: ReadonlySet<string> = new Set([
  "password",
  "string",
  "text",
  "textarea",
  "markdown",
  "html",
]);

/** Says why the values of a format are not checked. */
export function describeFormat(name: string): string {
  return name === "uri"
    ? "RIDL's `format = uri` refuses URLs other than http and https"
    : `RIDL does not check the format \`${name}\``;
}

/** Maps a schema of strings. `declare` returns the alias of a format. */
export function mapString(
  view: SchemaView,
  notes: NoteLog,
  declare: (format: string) => string,
): MappedType {
  const format = view.get("format");
  const encoding = view.get("contentEncoding")?.text ?? null;
  const name = format?.text ?? null;
  if (name === "date-time") {
    noteDropped(view, ["minLength", "maxLength", "pattern"], notes);
    return { type: "timestamp", metadata: [] };
  }
  if (name === "byte" || encoding === "base64") {
    noteDropped(view, ["minLength", "maxLength", "pattern"], notes);
    return { type: "[]byte", metadata: [] };
  }
  const limits = textLimits(view, notes);
  const isPattern = name !== null && patternFormats.has(name);
  if (isPattern && view.get("pattern") === null) {
    return { type: declare(name), metadata: limits };
  }
  const isSecret = name === "password";
  const isKnown = name === null || display.has(name) || name === "binary";
  if (format !== null && !isKnown) {
    const message = isPattern
      ? `only the pattern beside the format \`${name}\` is checked`
      : describeFormat(name ?? "");
    // JSON Schema's validators do not check formats either, if not told to.
    const level = isPattern ? "value" : "advice";
    const instead = isPattern
      ? "every string with the pattern is accepted"
      : "every string is accepted";
    notes.add(level, format, message, instead);
  }
  return {
    type: "string",
    metadata: isSecret
      ? [...limits, { key: "sensitive", value: "true" }]
      : limits,
  };
}

function textLimits(view: SchemaView, notes: NoteLog): readonly Meta[] {
  return [
    ...countLimit(view, "minLength"),
    ...countLimit(view, "maxLength"),
    ...patternLimit(view, notes),
  ];
}

function patternLimit(view: SchemaView, notes: NoteLog): readonly Meta[] {
  const pattern = view.get("pattern");
  const text = pattern?.text ?? null;
  if (pattern === null || text === null) return [];
  const value = readPattern(text);
  const [maxLength] = countLimit(view, "maxLength");
  const length = Number(maxLength?.value ?? Infinity);
  if (value !== null && isHarmless(value, length)) {
    return [{ key: "pattern", value }];
  }
  const message =
    value === null
      ? "the pattern is not valid with the flag `u` of ECMAScript"
      : "the pattern can take too much time on some strings";
  notes.add("value", pattern, message, "values are not checked for it");
  return [];
}

/**
 * Returns a pattern that is valid with the flag `u`, which RIDL has. Without it,
 * escapes of other characters such as `\\:` mean the character. Returns null if
 * the pattern is not valid with the flag.
 */
export function readPattern(text: string): string | null {
  return [text, dropEscapes(text)].find(isPattern) ?? null;
}

function dropEscapes(text: string): string {
  let isInClass = false;
  return text.replace(/\\[^]|[[\]]/gu, (found) => {
    const [first, escaped] = found;
    if (escaped === undefined) {
      isInClass = first === "[";
      return found;
    }
    const isNeeded = isInClass && escaped === "-";
    return isNeeded || /[\w^$\\.*+?()[\]{}|/]/u.test(escaped) ? found : escaped;
  });
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text, "u");
    // RIDL has only the escapes of line breaks and tabs.
    return !/[\u0000-\u0008\u000b-\u001f]|\p{Cs}/u.test(text);
  } catch {
    return false;
  }
}

/** Returns a limit that is a count, if there is a useful one. */
export function countLimit(view: SchemaView, key: string): readonly Meta[] {
  const text = view.get(key)?.text ?? "";
  const count = text === "" ? NaN : Number(text);
  if (!Number.isSafeInteger(count) || count < 0) return [];
  return key.startsWith("min") && count === 0
    ? []
    : [{ key, value: String(count) }];
}

function noteDropped(
  view: SchemaView,
  keys: readonly string[],
  notes: NoteLog,
): void {
  for (const key of keys) {
    const part = view.get(key);
    if (part === null) continue;
    const message = `\`${key}\` does not apply to this format in RIDL`;
    notes.add("value", part, message, "values are not checked for it");
  }
}

/** Returns the values of a format. Other integers are those of JavaScript. */
function rangeOf(format: string): {
  readonly least: bigint;
  readonly most: bigint;
} {
  if (format === "int64") return { least: -(2n ** 63n), most: 2n ** 63n - 1n };
  const least = BigInt(Number.MIN_SAFE_INTEGER);
  const isLong = format === "uint64";
  const most = isLong ? 2n ** 64n - 1n : BigInt(Number.MAX_SAFE_INTEGER);
  return { least, most };
}

/** Maps a schema of numbers. */
export function mapNumber(view: SchemaView, notes: NoteLog): MappedType {
  const isInteger = view.types.includes("integer");
  const format = view.get("format");
  const name = format?.text ?? "";
  const isKnownInteger = integers.has(name);
  const limits =
    isInteger || isKnownInteger
      ? integerLimits(view, rangeOf(name))
      : decimalLimits(view, notes);
  if (!isInteger) {
    const isKnown = ["", "float", "double", "number"].includes(name);
    if (format !== null && !isKnown && !isKnownInteger) {
      noteFormat(format, "`float64`", notes);
    }
    if (isKnownInteger) return { type: name, metadata: limits };
    return { type: name === "float" ? "float32" : "float64", metadata: limits };
  }
  if (isKnownInteger) return { type: name, metadata: limits };
  if (format !== null && name !== "integer") noteFormat(format, "`int`", notes);
  // `uint` says the same as a minimum of 0.
  const isUnsigned = limits.some(
    ({ key, value }) => key === "minimum" && value === "0",
  );
  return isUnsigned
    ? { type: "uint", metadata: limits.filter(({ key }) => key !== "minimum") }
    : { type: "int", metadata: limits };
}

function noteFormat(format: DocumentPart, type: string, notes: NoteLog): void {
  const message = `RIDL has no format \`${format.text ?? ""}\` of numbers`;
  notes.add("advice", format, message, `the type is ${type}`);
}
