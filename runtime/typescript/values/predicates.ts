/**
 * Predicates for the core types. Values are in their wire form, after parsing.
 */

import { isForeign, isOpaque } from "./opaque.js";

/** Whether a value is a JSON object, i.e. neither null nor a list. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Whether a value can be a struct without required fields. A `Map` or an `Error`
 * would become an empty one.
 */
export function isStruct(value: unknown): value is Record<string, unknown> {
  return isRecord(value) && !isForeign(value);
}

/** Whether a value is a string. */
export function isString(value: unknown): value is string {
  return typeof value === "string";
}

/** Maximum number of levels in a value of any type. */
const maxLevels = 1000;

/**
 * Whether JSON can represent a value. It has no number beyond the range of a
 * double, which would become null, and no object whose content JSON leaves out,
 * such as a `Map` or an `Error`.
 */
export function isJson(value: unknown, levels: number = maxLevels): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || value === null) {
    return !["undefined", "function", "symbol"].includes(typeof value);
  }
  if (levels === 0) return false;
  if (Array.isArray(value)) {
    return value.every((item) => isJson(item, levels - 1));
  }
  if (isDate(value)) return !Number.isNaN(value.getTime());
  if ("toJSON" in value && typeof value.toJSON === "function") return true;
  if (isOpaque(value)) return false;
  for (const item of Object.values(value)) {
    if (item !== undefined && !isJson(item, levels - 1)) return false;
  }
  return true;
}

/**
 * Whether a value is a `Date`. Unlike `instanceof`, this recognizes objects of
 * other frames and realms.
 */
export function isDate(value: unknown): value is Date {
  return {}.toString.call(value) === "[object Date]";
}

/** Whether a value is a `Uint8Array`, also of another frame or realm. */
export function isBytes(value: unknown): value is Uint8Array {
  return {}.toString.call(value) === "[object Uint8Array]";
}

/** Whether a value is `true` or `false`. */
export function isBoolean(value: unknown): value is boolean {
  return typeof value === "boolean";
}

/**
 * Whether a value is a number within the range of a double. A large integer may
 * be a `bigint`.
 */
export function isFloat(value: unknown): value is number | bigint {
  return Number.isFinite(typeof value === "bigint" ? Number(value) : value);
}

/** Whether a value is an integer from 0 to 255, as for `uint8` and `byte`. */
export function isUint8(value: unknown): value is number {
  return isIntegerWithin(value, 0, 0xff);
}

/** Whether a value is an integer from 0 to 65,535. */
export function isUint16(value: unknown): value is number {
  return isIntegerWithin(value, 0, 0xffff);
}

/** Whether a value is an integer from 0 to 2^32-1. */
export function isUint32(value: unknown): value is number {
  return isIntegerWithin(value, 0, 0xffff_ffff);
}

/** Whether a value is an integer from -128 to 127. */
export function isInt8(value: unknown): value is number {
  return isIntegerWithin(value, -0x80, 0x7f);
}

/** Whether a value is an integer from -32,768 to 32,767. */
export function isInt16(value: unknown): value is number {
  return isIntegerWithin(value, -0x8000, 0x7fff);
}

/** Whether a value is an integer from -2^31 to 2^31-1. */
export function isInt32(value: unknown): value is number {
  return isIntegerWithin(value, -0x8000_0000, 0x7fff_ffff);
}

/**
 * Whether a value is an integer within ±(2^53-1), which a `number` represents
 * exactly.
 */
export function isSafeInt(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

/** Whether a value is an integer from 0 to 2^53-1. */
export function isSafeUint(value: unknown): value is number {
  return isIntegerWithin(value, 0, Number.MAX_SAFE_INTEGER);
}

/**
 * Whether a value is a signed 64-bit integer as `parseJson` reads it: a
 * `number` within ±(2^53-1), or a `bigint`. A `number` beyond that range may
 * have been rounded and is rejected.
 */
export function isInt64(value: unknown): value is number | bigint {
  return typeof value === "bigint"
    ? BigInt.asIntN(64, value) === value
    : isSafeInt(value);
}

/**
 * Whether a value is an unsigned 64-bit integer as `parseJson` reads it. A
 * `number` above 2^53-1 may have been rounded and is rejected.
 */
export function isUint64(value: unknown): value is number | bigint {
  return typeof value === "bigint"
    ? BigInt.asUintN(64, value) === value
    : isSafeUint(value);
}

/**
 * Whether a value is the text of an integer with at most 1000 decimal digits.
 */
export function isBigintText(value: unknown): value is string {
  return typeof value === "string" && /^-?[0-9]{1,1000}$/.test(value);
}

/**
 * Whether a value is an RFC 3339 timestamp, e.g.
 * `2024-02-29T12:00:00.123456789Z` or `2024-02-29t13:00:00+01:00`. It has at
 * most nine fractional digits, and the day exists. Second 60 is valid only in
 * the last minute of a day in UTC, where leap seconds occur. The year must also
 * have four digits in UTC, because the format allows no others.
 */
export function isTimestamp(value: unknown): value is string {
  if (typeof value !== "string" || !timestamp.test(value)) return false;
  // Capturing groups and substrings would dominate the running time.
  const day = twoDigits(value, 8);
  const isLeapSecond = value.charCodeAt(17) === six;
  if (isLeapSecond && (utcMinute(value) + 1) % 1440 !== 0) return false;
  if (value.startsWith("0000-01-01") && utcMinute(value) < 0) return false;
  if (value.startsWith("9999-12-31"))
    return !isLeapSecond && utcMinute(value) < 1440;
  if (day <= 28) return true;
  return day <= daysIn(Number(value.slice(0, 4)), Number(value.slice(5, 7)));
}

const zero = 0x30;
const six = 0x36;

const timestamp =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])[Tt](?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d{1,9})?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

function twoDigits(text: string, start: number): number {
  return text.charCodeAt(start) * 10 + text.charCodeAt(start + 1) - 11 * zero;
}

/** Returns the minute in UTC, counted from the start of the local day. */
function utcMinute(text: string): number {
  const minute = twoDigits(text, 11) * 60 + twoDigits(text, 14);
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)$/.exec(text) ?? [];
  const offset = Number(hours ?? 0) * 60 + Number(minutes ?? 0);
  return sign === "-" ? minute + offset : minute - offset;
}

function daysIn(year: number, month: number): number {
  if (month === 2) {
    const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
    return isLeap ? 29 : 28;
  }
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/**
 * Whether a value is an absolute http or https URL as RFC 3986 defines it.
 * Other characters have to be percent-encoded, or encoded with Punycode in the
 * host.
 */
export function isUrl(value: unknown): value is string {
  if (typeof value !== "string" || !url.test(value)) return false;
  try {
    // Rejects ports and IP addresses out of range, for example.
    return new URL(value).host !== "";
  } catch {
    return false;
  }
}

const url =
  /^https?:\/\/(?:(?:[!$&-.0-;=A-Z_a-z~]|%[0-9a-f]{2})*@)?(?:\[[0-9a-f:.]+\]|(?:[!$&-.0-9;=A-Z_a-z~]|%[0-9a-f]{2})+)(?::[0-9]*)?(?:[/?](?:[!$&-;=?-Z_a-z~]|%[0-9a-f]{2})*)?(?:#(?:[!$&-;=?-Z_a-z~]|%[0-9a-f]{2})*)?$/i;

/** Whether a value is canonical base64 with padding. */
export function isBase64(value: unknown): value is string {
  return (
    typeof value === "string" &&
    value.length % 4 === 0 &&
    // The unused bits must be zero, so only some characters can precede the
    // padding.
    /^[A-Za-z0-9+/]*(?:[AEIMQUYcgkosw048]=|[AQgw]==)?$/.test(value)
  );
}

/** Returns the length of a string in code points, e.g. 1 for `"😀"`. */
export function lengthOf(text: string): number {
  let length = text.length;
  for (let i = 0; i + 1 < text.length; i += 1) {
    if (!isWithin(text.charCodeAt(i), 0xd800, 0xdbff)) continue;
    if (!isWithin(text.charCodeAt(i + 1), 0xdc00, 0xdfff)) continue;
    length -= 1;
    i += 1;
  }
  return length;
}

/** Whether the length of a string in code points is within limits. */
export function isLengthWithin(
  text: string,
  minimum: number,
  maximum: number,
): boolean {
  const units = text.length;
  if (units >= 2 * minimum && units <= maximum) return true;
  if (units < minimum || units > 2 * maximum) return false;
  return isWithin(lengthOf(text), minimum, maximum);
}

/** Returns an object's own property, so names such as `toString` are safe. */
export function ownValue(record: object, key: string): unknown {
  return Object.hasOwn(record, key)
    ? (record as Readonly<Record<string, unknown>>)[key]
    : undefined;
}

/**
 * Returns a predicate for map keys that are canonical integers of a type.
 * Example: `keyOf(isUint8)("255")`.
 */
export function keyOf(
  isInteger: (value: unknown) => boolean,
): (key: string) => boolean {
  return (key) => {
    if (!/^(?:0|-?[1-9][0-9]{0,19})$/.test(key)) return false;
    const value = Number(key);
    return isInteger(Number.isSafeInteger(value) ? value : BigInt(key));
  };
}

function isIntegerWithin(
  value: unknown,
  minimum: number,
  maximum: number,
): value is number {
  return (
    typeof value === "number" &&
    Number.isInteger(value) &&
    isWithin(value, minimum, maximum)
  );
}

function isWithin(value: number, minimum: number, maximum: number): boolean {
  return value >= minimum && value <= maximum;
}
