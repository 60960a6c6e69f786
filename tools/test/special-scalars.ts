import * as fc from "fast-check";
import { extremesOf } from "../../generator/values/extremes.js";
import { type Json, writeJson } from "../../generator/values/json.js";
import type { ResolvedScalar } from "../../generator/values/value.js";

/**
 * Creates values of a core type at each limit and beyond it, and malformed
 * values.
 *
 * Input: the path in the message, the value there, and the arbitrary of valid
 * values.
 */
export function specialScalars(
  place: string,
  value: ResolvedScalar,
  valid: fc.Arbitrary<Json>,
): readonly Special[] {
  const { beyond, edges, odd } = extremesOf(value);
  const hasRule = value.layers.some(
    ({ format, pattern }) => (format ?? pattern) !== undefined,
  );
  return [
    ...eachOf(place, [...edges, ...odd, ...beyond]),
    ...(hasRule ? nearMisses(place, valid) : []),
  ];
}

/** Creates a special value from each of these values. */
export function eachOf(
  place: string,
  values: readonly Json[],
): readonly Special[] {
  return values.map((value) => ({
    what: `\`${place}\` ${describe(value)}`,
    value: fc.constant(value),
  }));
}

/** Longer texts are described by their length. */
const maxShown = 16;

function describe(value: Json): string {
  const { length } = typeof value === "string" ? Array.from(value) : "";
  return length > maxShown && /^a*$/u.test(String(value))
    ? `of length ${length}`
    : `is ${writeJson(value)}`;
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
