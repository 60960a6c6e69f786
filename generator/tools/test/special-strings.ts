import * as fc from "fast-check";
import type { Constraints } from "../../ir/contract.js";
import { knownStrings } from "./draw-scalar.js";
import type { Json } from "./json.js";
import type { Special } from "./special.js";

/** Longer strings are not created, because servers limit the size of bodies. */
const maxLength = 100_000;

/**
 * Creates strings at each limit of a string type and beyond it.
 *
 * Input: its path in the message, its limits, and the arbitrary of valid
 * strings.
 */
export function specialStrings(
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
      what: `\`${place}\` of ${length} characters`,
      value: ofLength(length, known),
    }));
  const isSpecial = limits.some(
    ({ format, pattern }) => (format ?? pattern) !== undefined,
  );
  return isSpecial ? [...atLengths, ...nearMisses(place, valid)] : atLengths;
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
