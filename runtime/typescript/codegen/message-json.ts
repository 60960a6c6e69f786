import { isOpaque } from "../values/opaque.js";
import { isDate, isRecord } from "../values/predicates.js";
import { same } from "../values/same.js";
import { parseJson } from "../wire/json.js";

/**
 * Reads a message without rounding integers.
 *
 * Errors: those of `parseJson`, and JsonSyntaxError if it is not an object.
 */
export function parseJsonObject(text: string): unknown {
  return parseJson(/^\s*\{/.test(text) ? text : "");
}

/**
 * Writes the JSON of a request. It adds less code to a bundle than
 * `stringifyJson`, and is slower for large values.
 *
 * Input: a valid message, which cannot contain itself.
 * Errors: TypeError if JSON would lose the content of an object: it has a class
 * and no properties, such as a `Map`, a promise, or an object with accessors only.
 */
export function stringifyMessage(message: unknown): string;
/**
 * Implements the signature above. Returns undefined for what JSON leaves out, such
 * as a function.
 */
export function stringifyMessage(value: unknown): string | undefined {
  if (typeof value === "bigint") return `${value}`;
  if (Array.isArray(value))
    return `[${[...value].map((item) => stringifyMessage(item) ?? "null")}]`;
  if (!isRecord(value) || typeof value["toJSON"] === "function")
    return JSON.stringify(value);
  const entries = Object.entries(value);
  if (
    !entries[0] &&
    Object.getPrototypeOf(Object.getPrototypeOf(value) ?? value)
  )
    throw TypeError("bad-request");
  const members = entries.flatMap(([key, member]) => {
    const text = stringifyMessage(member);
    return text ? `${stringifyMessage(key)}:${text}` : [];
  });
  return `{${members}}`;
}

/**
 * Returns a function that encodes requests with values that JSON can lose.
 *
 * Input: converts a request to its JSON form. Default: both are the same.
 * Errors: TypeError that names a value that JSON would replace by null or by an
 * empty object: an invalid `Date`, a number that is not finite, a `Map`, an
 * `Error`.
 */
export function sendable<Request>(
  encode: (request: Request) => unknown = same,
): (request: Request) => unknown {
  return (request) => {
    refuseLoss(request, "request");
    return encode(request);
  };
}

function refuseLoss(value: unknown, path: string): void {
  const refuse = (expected: string): never => {
    throw new TypeError(`${path}: expected ${expected}`);
  };
  if (isDate(value)) {
    // Other years have a sign and six digits, and invalid dates have no text.
    const isValid = `${value.toJSON()}`.length === 24;
    return isValid ? undefined : refuse("a date from the year 0 to 9999");
  }
  if (typeof value === "number" && !Number.isFinite(value)) {
    refuse("a finite number");
  }
  if (typeof value !== "object" || value === null) return;
  // Bytes, files, and values that convert themselves.
  const { stream, toJSON }: { stream?: unknown; toJSON?: unknown } = value;
  const isWhole = [stream, toJSON].some((each) => typeof each === "function");
  if (ArrayBuffer.isView(value) || isWhole) return;
  const isList = Array.isArray(value);
  if (!isList && isOpaque(value)) refuse("an object that JSON can represent");
  for (const [key, item] of Object.entries(value)) {
    refuseLoss(item, isList ? `${path}[${key}]` : `${path}.${key}`);
  }
}
