import type { Constraints } from "./contract.js";
import { textTest } from "./limits.js";
import { type ScalarName, scalars } from "./scalars.js";

/**
 * Reads an example as a JSON value. An integer beyond ±(2^53-1) is a bigint.
 * Returns undefined if servers do not accept it as a value of the core type
 * within all limits, if there is none, and for core types whose values have no
 * text.
 */
export function readExample(
  name: ScalarName,
  limits: readonly Constraints[],
  text: string | undefined,
): boolean | number | bigint | string | undefined {
  if (text === undefined) return undefined;
  switch (scalars[name].wire) {
    case "boolean":
      return text === "true" || (text === "false" ? false : undefined);
    case "number":
      return readNumber(name, limits, text);
    case "string":
      return stringTest(name, limits)(text) ? text : undefined;
    case "any":
    case "file":
    case "null":
      return undefined;
  }
}

/** Whether text can represent values of a core type. */
export function hasText(name: ScalarName): boolean {
  const { wire } = scalars[name];
  return wire === "boolean" || wire === "number" || wire === "string";
}

function readNumber(
  name: ScalarName,
  limits: readonly Constraints[],
  text: string,
): number | bigint | undefined {
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/u.test(text))
    return undefined;
  const number = Number(text);
  if (!Number.isFinite(number)) return undefined;
  const isDigits = !/[.eE]/u.test(text);
  const value =
    isDigits && !Number.isSafeInteger(number) ? BigInt(text) : number;
  const { range } = scalars[name];
  const isOne =
    range === null ||
    ((typeof value === "bigint" || Number.isSafeInteger(value)) &&
      value >= range[0] &&
      value <= range[1]);
  return isOne && isWithin(value, limits) ? value : undefined;
}

function stringTest(
  name: ScalarName,
  limits: readonly Constraints[],
): (text: string) => boolean {
  if (name === "timestamp") return isTimestamp;
  if (name !== "bigint") return textTest(limits);
  return (text) =>
    /^-?\d{1,1000}$/u.test(text) && isWithin(BigInt(text), limits);
}

function isWithin(
  value: number | bigint,
  limits: readonly Constraints[],
): boolean {
  return limits.every(
    ({ maximum = value, minimum = value }) =>
      value >= minimum && value <= maximum,
  );
}

/** Whether text is an RFC 3339 timestamp, as validators define it. */
function isTimestamp(text: string): boolean {
  const [, day, second] =
    /^(\d{4}-\d\d-\d\d)[Tt](?:[01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(?:\.\d{1,9})?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/u.exec(
      text,
    ) ?? [];
  // A day such as February 30 becomes another one.
  if (!day || !new Date(day).toJSON()?.startsWith(day)) return false;
  // A leap second ends the last minute of a day in UTC.
  const isLeap = second === "60";
  const time = Date.parse(text.toUpperCase().replace(":60", ":59"));
  const utc = new Date(isLeap ? time + 1000 : time).toJSON();
  // Years before 0 and after 9999 have a sign and six digits.
  return utc.length === 24 && (!isLeap || utc.startsWith("00:00:00", 11));
}
