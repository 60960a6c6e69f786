import type { MakeEmpty } from "../values/empty.js";
import { extraMembers } from "../values/extra.js";
import { isOpaque } from "../values/opaque.js";
import {
  isDate,
  isRecord,
  isTimestamp,
  ownValue,
} from "../values/predicates.js";

export { decodeBytes, encodeBytes } from "../wire/bytes.js";
export { emptyBytes, emptyList, emptyMap } from "../values/empty.js";

/** Returns its argument, for values with the same form on both sides. */
export { same } from "../values/same.js";

/**
 * Converters between the wire form of a value and its TypeScript form.
 * `decodeX` takes a validated value, or an unvalidated one from a server's
 * response. In a response, an invalid value causes a TypeError. Readers, which
 * `readFields` and others create from tables, are for clients. `encodeX` does
 * the reverse of `decodeX`.
 */

/** Throws TypeError if the condition is false. */
function expect(isSo: boolean): asserts isSo {
  if (!isSo) throw TypeError();
}

/**
 * Returns the value as an object whose properties a decoder can change. Errors:
 * TypeError if the value is not an object.
 */
export function requireRecord(value: unknown): Record<string, unknown> {
  expect(isRecord(value));
  return value;
}

/**
 * Converts decimal text to `bigint`. Also accepts an integer, because other
 * servers may send a JSON number.
 */
export function decodeBigint(value: unknown): bigint {
  if (typeof value === "string" && /^-?[0-9]+$/.test(value))
    return BigInt(value);
  return decodeInt64(value);
}

/** Converts a `bigint` to decimal text. */
export function encodeBigint(value: bigint): string {
  return value.toString();
}

/**
 * Converts a 64-bit integer from `parseJson` to `bigint`.
 *
 * Errors: TypeError if the value is not an integer, or if it is a `number`
 * beyond ±(2^53-1), which may have been rounded.
 */
export function decodeInt64(value: unknown): bigint {
  return typeof value === "bigint" ? value : BigInt(decodeSafeInt(value));
}

/**
 * Converts a 64-bit integer to `number`.
 *
 * Errors: TypeError if the value is not a `number`, or if it is not an integer
 * within ±(2^53-1).
 */
export function decodeSafeInt(value: unknown): number {
  expect(Number.isSafeInteger(value));
  return value as number;
}

/**
 * Converts a float to `number`. A float without a fraction may be a `bigint`.
 */
export function decodeFloat(value: unknown): number {
  expect(typeof value === "number" || typeof value === "bigint");
  return Number(value);
}

/**
 * Converts RFC 3339 text to a `Date`, with millisecond precision. A leap second
 * becomes the first second of the next minute.
 *
 * Errors: TypeError if validators reject the text. `Date.parse` would read other
 * texts in the time zone of the reader.
 */
export function decodeDate(value: unknown): Date {
  expect(isTimestamp(value));
  const text = value.toUpperCase();
  const usual = text.replace(/(:\d\d):60/, "$1:59");
  return new Date(Date.parse(usual) + (usual === text ? 0 : 1000));
}

/**
 * Converts a `Date` to RFC 3339 text. Any other value becomes text that the
 * validator reports. Clients check dates before they encode them.
 */
export function encodeDate(value: Date): string {
  const isValid = isDate(value) && !Number.isNaN(value.getTime());
  const text = isValid ? value.toISOString() : "";
  // Other years have a sign and six digits.
  return text.length === 24 ? text : String(value);
}

/**
 * Returns a string unchanged, and converts an integer to its decimal digits.
 */
export function decodeIntegerText(value: unknown): string {
  expect(
    typeof value === "string" ||
      typeof value === "bigint" ||
      Number.isSafeInteger(value),
  );
  return String(value);
}

/** Decodes every item of a list in place. */
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

/** Returns a copy of a map with decoded values. */
export function decodeRecord<T>(
  value: unknown,
  decode: (item: unknown) => T,
): Record<string, T> {
  expect(isRecord(value));
  return mapRecord<unknown, T>({ ...value }, decode);
}

/**
 * Returns a copy of a list with encoded items. The validator reports values
 * that are not lists.
 */
export function encodeList<From>(
  list: readonly From[],
  encode: (item: From) => unknown,
): unknown {
  return Array.isArray(list) ? list.map((item: From) => encode(item)) : list;
}

/**
 * Returns a copy of a map with encoded values. The validator reports values
 * that are not maps.
 */
export function encodeRecord<From>(
  record: { readonly [key: string]: From | undefined },
  encode: (item: From) => unknown,
): unknown {
  return isRecord(record) && !isOpaque(record)
    ? mapRecord<From, unknown>(record, encode)
    : record;
}

/** Returns a map with converted values. Omits undefined values. */
function mapRecord<From, To>(
  record: { readonly [key: string]: From | undefined },
  convert: (item: From) => To,
): Record<string, To> {
  const entries: [string, To][] = [];
  for (const [key, value] of Object.entries(record)) {
    if (value !== undefined) entries.push([key, convert(value)]);
  }
  // Do not use assignment, because a key can be `__proto__`.
  return Object.fromEntries(entries);
}

/**
 * Moves the members of an object that no field declares to a map, which becomes
 * a property of the object.
 *
 * Input: the names of the fields, the name of the property, and whether an empty
 * map is omitted.
 */
export function collectExtra(
  record: Record<string, unknown>,
  fields: ReadonlySet<string>,
  name: string,
  isOptional: boolean,
): void {
  const extra = extraMembers(record, fields);
  const keys = Object.keys(extra);
  for (const key of keys) delete record[key];
  if (!isOptional || keys.length > 0) record[name] = extra;
}

/**
 * Does the reverse of {@link collectExtra}. Returns a copy.
 *
 * Errors: TypeError if the property is not a map, or has the name of a field.
 */
export function spreadExtra(
  record: Readonly<Record<string, unknown>>,
  fields: ReadonlySet<string>,
  name: string,
): unknown {
  const { [name]: extra, ...members } = record;
  const entries: [string, unknown][] = [];
  if (extra != null && !isRecord(extra))
    throw TypeError(`\`${name}\` is not a map of extra members`);
  for (const [key, item] of Object.entries(extra ?? {})) {
    if (fields.has(key))
      throw TypeError(
        `\`${name}.${key}\` cannot be an extra member, because \`${key}\` is a field`,
      );
    if (item !== undefined) entries.push([key, item]);
  }
  // Do not use assignment, because a key can be `__proto__`.
  return Object.fromEntries([...Object.entries(members), ...entries]);
}

/**
 * Converts a value to its TypeScript form. May change lists and objects in
 * place.
 */
export type Read<T = unknown> = (value: unknown) => T;

/**
 * Returns a reader that converts the fields of an object in place. It removes
 * null where null can only mean an absent field.
 *
 * Input: readers by field name. A field without a reader has the same form in
 * JSON and in TypeScript, and no part of it is nullable.
 */
export function readFields<T>(fields: Readonly<Record<string, Read>>): Read<T> {
  return (value) => {
    expect(isRecord(value));
    return dropNulls(value, fields);
  };
}

/**
 * Returns a reader that also collects extra members.
 *
 * Input: as for {@link readFields} and {@link collectExtra}.
 */
export function readWithExtra<T>(
  fields: ReadonlySet<string>,
  name: string,
  isOptional: boolean,
  readers: Readonly<Record<string, Read>> = {},
): Read<T> {
  return (value) => {
    const record = requireRecord(value);
    collectExtra(record, fields, name, isOptional);
    return dropNulls(record, readers);
  };
}

/**
 * Converts the fields that have a reader. Removes null properties from the rest
 * of the value, where null can only mean an absent field. Changes the value in
 * place.
 *
 * Input: readers for the fields of the value that need conversion.
 * Returns the value. The return type is `never`, so that the result is
 * assignable to every message type.
 */
export function dropNulls(
  value: unknown,
  fields: Readonly<Record<string, Read>> = {},
): never {
  const record: Record<string, unknown> = Object(value);
  for (const name in record) {
    if (Object.hasOwn(fields, name)) continue;
    if (typeof record[name] === "object") dropNulls(record[name]);
    // Items of a list must keep their position.
    if (record[name] === null && !Array.isArray(value)) delete record[name];
  }
  for (const name in fields) {
    // Ignore inherited properties such as `toString`, which were not sent.
    const read = (fields[name] as Read)(ownValue(record, name));
    if (read === undefined) delete record[name];
    else record[name] = read;
  }
  return value as never;
}

/** Returns a reader that creates a list of converted items. */
export function readListOf<T>(read: Read<T>): Read<T[]> {
  return (value) => (value as unknown[]).map(read);
}

/** Returns a reader that converts the values of a map in place. */
export function readMapOf<T>(read: Read<T>): Read<Record<string, T>> {
  return (value) => {
    expect(isRecord(value));
    const map: Record<string, T> = Object(value);
    for (const key in value) map[key] = read(value[key]);
    return map;
  };
}

/** Returns a reader of values that may be absent. Null counts as absent. */
export function optional<T>(read: Read<T>): Read<T | undefined> {
  return (value) => (value == null ? undefined : read(value));
}

/** Returns a reader of values that may be null or absent. Null stays null. */
export function nullable<T>(read: Read<T>): Read<T | null | undefined> {
  return (value) => (value == null ? value : read(value));
}

/** Returns a reader that replaces null with an empty value. */
export function nullAs<T>(makeEmpty: MakeEmpty, read: Read<T>): Read<T> {
  return (value) => read(value === null ? makeEmpty() : value);
}
