import {
  JsonSyntaxError,
  maxJsonDepth,
  readJson,
  tooDeep,
} from "./values/json-reader.js";
import { isRecord } from "./values/predicates.js";
import { writeJson } from "./values/json-writer.js";

export { JsonSyntaxError, maxJsonDepth } from "./values/json-reader.js";

/**
 * A run of 16 digits where a number may begin: no integer literal beyond
 * ±(2^53-1) is without one. (Strings may hold one too, which only costs time.)
 */
const longInteger = /(?:^|[-\s:,[])[0-9]{16}/;

/**
 * Reads JSON without rounding.
 *
 * Output: what `JSON.parse` gives, but integer literals beyond ±(2^53-1) are
 * `bigint`, e.g. `{"id":18446744073709551615}` is `{ id: 18446744073709551615n }`.
 * Errors: JsonSyntaxError when it is not JSON, or nested more than `maxDepth`
 * levels deep.
 */
export function parseJson(
  text: string,
  maxDepth: number = maxJsonDepth,
): unknown {
  return longInteger.test(text)
    ? readJson(text, maxDepth)
    : parsePlainJson(text, maxDepth);
}

/**
 * Reads a message without rounding.
 *
 * Errors: as `parseJson`, and JsonSyntaxError when it is no object.
 */
export function parseJsonObject(text: string): unknown {
  return parseJson(/^\s*\{/.test(text) ? text : "");
}

/**
 * Reads JSON with every number a `number`, as `JSON.parse` does; for messages
 * that hold no 64-bit integers.
 *
 * Errors: as `parseJson`.
 */
export function parsePlainJson(
  text: string,
  maxDepth: number = maxJsonDepth,
): unknown {
  if (isCutShort(text)) readJson(text, maxDepth);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The engine's own message repeats some of the text.
    readJson(text, maxDepth);
    throw new JsonSyntaxError("JSON", 0);
  }
  assertShallow(text, maxDepth);
  return value;
}

/**
 * Writes JSON, every `bigint` as a number.
 *
 * Input: anything that `JSON.stringify` takes; nothing to write is `null`.
 * Errors: TypeError when the value contains itself.
 */
export function stringifyJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "null";
  } catch (error) {
    // A bigint is one of the two things that it refuses with a TypeError; the
    // other, a cycle, is refused again.
    if (!(error instanceof TypeError)) throw error;
    return writeJson(value);
  }
}

/**
 * The same for the request of a client: less code in a bundle, and slower for
 * what is large.
 *
 * Input: what a contract allows, so nothing that contains itself.
 */
export function stringifyMessage(value: unknown): string {
  if (typeof value === "bigint") return `${value}`;
  if (Array.isArray(value)) return `[${value.map(stringifyMessage)}]`;
  if (!isRecord(value) || "toJSON" in value) {
    return JSON.stringify(value) ?? "null";
  }
  const members = Object.entries(value).flatMap(([key, member]) =>
    member === undefined
      ? []
      : `${JSON.stringify(key)}:${stringifyMessage(member)}`,
  );
  return `{${members}}`;
}

/**
 * Whether a list or an object begins that the end does not close, so that it is
 * no JSON. The engine takes longer to refuse a text than to read it.
 */
function isCutShort(text: string): boolean {
  const first = text.charCodeAt(0);
  const last = text.charCodeAt(text.length - 1);
  const isNested = first === brace || first === bracket;
  return isNested && last > space && last !== first + 2;
}

/** Most texts have fewer brackets than levels allowed, which is soon counted. */
function assertShallow(text: string, maxDepth: number): void {
  if (text.length < 2 * maxDepth || !hasMoreBrackets(text, maxDepth)) return;
  let depth = 0;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    if (unit === quote) i = endOfString(text, i);
    else if (unit === brace || unit === bracket) depth += 1;
    else if (unit === brace + 2 || unit === bracket + 2) depth -= 1;
    if (depth > maxDepth) throw tooDeep(i, maxDepth);
  }
}

const space = 0x20;
const quote = 0x22;
const bracket = 0x5b;
const brace = 0x7b;

/** Whether more than `limit` brackets open, those in strings included. */
function hasMoreBrackets(text: string, limit: number): boolean {
  let count = 0;
  for (const opening of ["[", "{"]) {
    let at = text.indexOf(opening);
    while (at !== -1 && count <= limit) {
      count += 1;
      at = text.indexOf(opening, at + 1);
    }
  }
  return count > limit;
}

/** Offset of the quote that closes the string which opens at `start`. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text[at - 1 - backslashes] === "\\") backslashes += 1;
  return backslashes % 2 === 1;
}
