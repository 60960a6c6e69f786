import type { MakeEmpty } from "../values/empty.js";
import { isRecord } from "../values/predicates.js";

export { emptyBytes, emptyList, emptyMap } from "../values/empty.js";

/** Of what is the same in both forms. */
export { same } from "../values/same.js";

/**
 * Between the wire form of a value and its TypeScript form. `decodeX` takes what
 * a validator has let through, or what came from a server: in that case a value
 * that does not fit is a TypeError. `readX` is for clients, and made of tables.
 * `encodeX` is the other way.
 */

/** Errors: TypeError unless it is so. */
function expect(isSo: boolean): asserts isSo {
  if (!isSo) throw new TypeError();
}

/** Returns the object whose properties a decoder changes. Errors: TypeError for anything else. */
export function requireRecord(value: unknown): Record<string, unknown> {
  expect(isRecord(value));
  return value;
}

/** Decimal text, or a JSON integer (which other servers write), as `bigint`. */
export function decodeBigint(value: unknown): bigint {
  if (typeof value === "string" && /^-?[0-9]+$/.test(value))
    return BigInt(value);
  return decodeInt64(value);
}

/** Decimal text. */
export function encodeBigint(value: bigint): string {
  return value.toString();
}

/**
 * A 64-bit integer as `bigint`; it was read without rounding (`parseJson`).
 *
 * Errors: TypeError for anything but an integer, and for a number beyond
 * ±(2^53-1), which has been rounded before.
 */
export function decodeInt64(value: unknown): bigint {
  return typeof value === "bigint" ? value : BigInt(decodeSafeInt(value));
}

/**
 * A 64-bit integer as `number`.
 *
 * Errors: TypeError when a `number` cannot hold it; nothing is ever rounded.
 */
export function decodeSafeInt(value: unknown): number {
  expect(Number.isSafeInteger(value));
  return Number(value);
}

/** A float; one without a fraction may have been read as `bigint`. */
export function decodeFloat(value: unknown): number {
  expect(typeof value === "number" || typeof value === "bigint");
  return Number(value);
}

/**
 * RFC 3339 text as `Date`, to the millisecond. A leap second is the first second
 * of the next minute, because a `Date` has none.
 */
export function decodeDate(value: unknown): Date {
  const text = typeof value === "string" ? value.toUpperCase() : "";
  const usual = text.replace(/(:\d\d):60/, "$1:59");
  const leapMs = usual === text ? 0 : 1000;
  const date = new Date(Date.parse(usual) + leapMs);
  expect(!Number.isNaN(date.getTime()));
  return date;
}

/**
 * RFC 3339 text.
 *
 * Errors: RangeError for an invalid `Date`.
 */
export function encodeDate(value: Date): string {
  return value.toISOString();
}

/** Base64 as bytes. */
export function decodeBytes(value: unknown): Uint8Array {
  const isPadded = typeof value === "string" && value.length % 4 === 0;
  if (!isPadded || !/^[A-Za-z0-9+/]*={0,2}$/.test(value)) {
    throw new TypeError();
  }
  const binary = atob(value);
  const bytes = new Uint8Array(binary.length);
  // Many times faster than `Uint8Array.from`, which goes by code points.
  for (let i = 0; i < bytes.length; i += 1) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** Base64 with padding. */
export function encodeBytes(value: Uint8Array): string {
  let binary = "";
  // In parts, because arguments go on the stack.
  for (let start = 0; start < value.length; start += 0x8000) {
    binary += String.fromCharCode(...value.subarray(start, start + 0x8000));
  }
  return btoa(binary);
}

/** Text, where an integer is accepted and read as its decimal digits. */
export function decodeIntegerText(value: unknown): string {
  const isInteger = typeof value === "bigint" || Number.isSafeInteger(value);
  expect(typeof value === "string" || isInteger);
  return String(value);
}

/** Decodes every item; the list itself is changed. */
export function decodeList<T>(
  value: unknown,
  decode: (item: unknown) => T,
): T[] {
  expect(Array.isArray(value));
  value.forEach((item: unknown, index) => {
    value[index] = decode(item);
  });
  return value;
}

/** Decodes every value of a map; the map itself is left as it is. */
export function decodeRecord<T>(
  value: unknown,
  decode: (item: unknown) => T,
): Record<string, T> {
  expect(isRecord(value));
  return mapRecord<unknown, T>({ ...value }, decode);
}

/** Encodes every item into a list; what is no list is left to the validator. */
export function encodeList<From>(
  list: readonly From[],
  encode: (item: From) => unknown,
): unknown {
  return Array.isArray(list) ? list.map((item: From) => encode(item)) : list;
}

/** Encodes every value into a map; what is no map is left to the validator. */
export function encodeRecord<From>(
  record: { readonly [key: string]: From | undefined },
  encode: (item: From) => unknown,
): unknown {
  return isRecord(record) ? mapRecord<From, unknown>(record, encode) : record;
}

/** A map of the converted values; what is undefined is left out. */
function mapRecord<From, To>(
  record: { readonly [key: string]: From | undefined },
  convert: (item: From) => To,
): Record<string, To> {
  const entries: [string, To][] = [];
  for (const [key, value] of Object.entries(record)) {
    if (value !== undefined) entries.push([key, convert(value)]);
  }
  // Not by assignment: a key may be `__proto__`.
  return Object.fromEntries(entries);
}

/** Gives what a value is in TypeScript; may change lists and objects. */
export type Read<T = unknown> = (value: unknown) => T;

/**
 * Reads objects, which are changed: null is taken away where it can only mean
 * that a field is absent.
 *
 * Input: readers by the names of fields; a field without one is the same in both
 * forms, with everything in it, and nothing of it is null.
 */
export function readFields<T>(fields: Readonly<Record<string, Read>>): Read<T> {
  return (value) => {
    expect(isRecord(value));
    return dropNulls(value, fields);
  };
}

/**
 * Reads what is the same in both forms, with everything in it: null is taken away,
 * because it can only mean that a field is absent. The value itself is changed.
 *
 * Input: readers for those fields of the value itself that need more.
 * Output: of a type that fits every message, as it does not tell them apart.
 */
export function dropNulls(
  value: unknown,
  fields: Readonly<Record<string, Read>> = {},
): never {
  const record: Record<string, unknown> = Object(value);
  for (const name in record) {
    if (Object.hasOwn(fields, name)) continue;
    if (typeof record[name] === "object") dropNulls(record[name]);
    // An item of a list keeps its place.
    if (record[name] === null && !Array.isArray(value)) delete record[name];
  }
  for (const name in fields) {
    // Objects inherit values that nobody sent.
    const item = Object.hasOwn(record, name) ? record[name] : undefined;
    const read = fields[name]?.(item);
    if (read === undefined) delete record[name];
    else record[name] = read;
  }
  return value as never;
}

/** Reads every item into a list of its own. */
export function listOf<T>(read: Read<T>): Read<T[]> {
  return (value) => {
    expect(Array.isArray(value));
    return value.map(read);
  };
}

/** Reads every value of a map; the map itself is changed. */
export function recordOf<T>(read: Read<T>): Read<Record<string, T>> {
  return (value) => {
    expect(isRecord(value));
    const map: Record<string, T> = Object(value);
    for (const key in value) map[key] = read(value[key]);
    return map;
  };
}

/** Reads what may be absent, for which null stands as well. */
export function optional<T>(read: Read<T>): Read<T | undefined> {
  return (value) => (value == null ? undefined : read(value));
}

/** Reads what may be null. */
export function nullable<T>(read: Read<T>): Read<T | null | undefined> {
  return (value) => (value == null ? value : read(value));
}

/** Reads what may be null because it is empty. */
export function nullAs<T>(makeEmpty: MakeEmpty, read: Read<T>): Read<T> {
  return (value) => read(value === null ? makeEmpty() : value);
}
