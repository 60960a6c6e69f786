import * as fc from "fast-check";
import type { Constraints, ScalarName } from "../../ir/contract.js";
import { integersWithin } from "../../values/limits.js";
import { formats } from "../../ir/text-rule.js";
import { isIntegerName, scalars, wireRange } from "../../ir/scalars.js";
import { type Json, writeJson } from "./json.js";
import { knownStrings } from "./draw-scalar.js";

/**
 * Creates values of a core type at each limit and beyond it, and malformed
 * values.
 *
 * Input: the path in the message, its limits, and the arbitrary of valid
 * values.
 */
export function specialScalars(
  place: string,
  name: ScalarName,
  limits: readonly Constraints[],
  valid: fc.Arbitrary<Json>,
): readonly Special[] {
  if (isIntegerName(name)) {
    const [min, max] = integersWithin(wireRange(name, "bigint"), limits);
    return eachOf(place, [min - 1n, min, max, max + 1n, 0.5]);
  }
  const { limits: kind, text } = scalars[name];
  if (text !== null) return eachOf(place, text.faults);
  switch (kind) {
    case "number":
      return eachOf(place, limits.flatMap(aroundLimits));
    case "text":
      return specialStrings(place, limits, valid);
    case null:
      return [];
  }
}

function aroundLimits({ maximum, minimum }: Constraints): readonly number[] {
  return [
    ...(minimum === undefined ? [] : [Number(minimum), Number(minimum) - 1]),
    ...(maximum === undefined ? [] : [Number(maximum), Number(maximum) + 1]),
  ];
}

/** Creates a special value from each of these values. */
export function eachOf(
  place: string,
  values: readonly Json[],
): readonly Special[] {
  return values.map((value) => ({
    what: `\`${place}\` is ${writeJson(value)}`,
    value: fc.constant(value),
  }));
}

/** Longer strings are not created, because servers limit the size of bodies. */
const maxLength = 100_000;

/**
 * Creates strings at each length limit and beyond it and, for a pattern or a
 * format, near misses.
 */
function specialStrings(
  place: string,
  limits: readonly Constraints[],
  valid: fc.Arbitrary<Json>,
): readonly Special[] {
  const lengths = limits.flatMap(({ minLength, maxLength }) => [
    ...(minLength === undefined ? [] : [minLength - 1, minLength]),
    ...(maxLength === undefined ? [] : [maxLength, maxLength + 1]),
  ]);
  const known = knownStrings(limits);
  const atLengths = [...new Set(lengths)]
    .filter((length) => length >= 0 && length <= maxLength)
    .map((length) => ({
      what: `\`${place}\` of length ${length}`,
      value: ofLength(length, known),
    }));
  const isSpecial = limits.some(
    ({ format, pattern }) => (format ?? pattern) !== undefined,
  );
  const faults = limits.flatMap(({ format }) =>
    format === undefined ? [] : formats[format].faults,
  );
  return isSpecial
    ? [...atLengths, ...eachOf(place, faults), ...nearMisses(place, valid)]
    : atLengths;
}

/** Draws strings of this length, preferably ones that a pattern allows. */
function ofLength(
  length: number,
  known: readonly string[],
): fc.Arbitrary<Json> {
  const found = known.filter((text) => Array.from(text).length === length);
  return fc.constantFrom(found[0] ?? "a".repeat(length), ...found);
}

/** Creates strings that careless implementations of patterns accept. */
function nearMisses(
  place: string,
  valid: fc.Arbitrary<Json>,
): readonly Special[] {
  const changed = (
    what: string,
    change: (text: string) => string,
  ): Special => ({
    what: `\`${place}\` ${what}`,
    value: valid.map((text) => change(String(text))),
  });
  return [
    changed("followed by a line feed", (text) => `${text}\n`),
    changed("after a space", (text) => ` ${text}`),
    changed("followed by !", (text) => `${text}!`),
    changed("is empty", () => ""),
  ];
}

/**
 * A value at or beyond a limit, or a malformed one. The reference decides
 * whether the value is valid.
 */
export interface Special<Value = Json> {
  /**
   * The path of the value and what is special about it, e.g. "`isbn` of length
   * 14".
   */
  readonly what: string;
  readonly value: fc.Arbitrary<Value>;
}
