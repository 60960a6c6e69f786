import type { Constraints } from "../ir/contract.js";
import { textTest } from "./limits.js";
import { type ScalarName, scalars } from "../ir/scalars.js";

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
  const value = text === undefined ? undefined : readText(name, limits, text);
  if (value === undefined) return undefined;
  const isFloat = typeof value === "bigint" && scalars[name].range === null;
  const listed = isFloat ? Number(value) : value;
  const isAllowed = limits.every(
    ({ enum: list }) => list?.includes(listed) !== false,
  );
  return isAllowed ? value : undefined;
}

function readText(
  name: ScalarName,
  limits: readonly Constraints[],
  text: string,
): boolean | number | bigint | string | undefined {
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
  const { limits: kind, text: rule } = scalars[name];
  const fitsLimits =
    kind === "number"
      ? (text: string) => isWithin(BigInt(text), limits)
      : textTest(limits);
  return (text) => (rule === null || rule.fits(text)) && fitsLimits(text);
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
