import type { Failure } from "../../values/validation.js";
import { builtInErrors } from "../../wire/errors.js";
import { parseJson } from "../../wire/json.js";
import { Refusal } from "../model/refusal.js";
import { decodePart, isEncoded } from "./decode-part.js";

/** A name and a value. Null if its bytes are not UTF-8. */
export type Pair = readonly [name: string | null, value: string | null];

/** Most pairs that a query or a form may have. */
const maxPairs = 1000;

/** Returns the pairs of a request target's query, or a refusal. */
export function readQuery(target: string): readonly Pair[] | Refusal {
  const start = target.indexOf("?");
  if (start === -1) return [];
  const end = target.indexOf("#", start);
  const query = target.slice(start + 1, end === -1 ? target.length : end);
  return readPairs("query", query);
}

/**
 * Returns the pairs of `application/x-www-form-urlencoded` text, or a refusal
 * that names the place if there are too many.
 */
export function readPairs(
  place: string,
  text: string,
): readonly Pair[] | Refusal {
  const isDecoded = !isEncoded(text);
  const pairs: Pair[] = [];
  let start = 0;
  // One pass takes half the time of splitting first.
  while (start < text.length) {
    const next = text.indexOf("&", start);
    const end = next === -1 ? text.length : next;
    if (end > start) {
      if (pairs.length === maxPairs) return tooMany(place, text);
      const pair = splitPair(text.slice(start, end));
      pairs.push(isDecoded ? pair : [decodePart(pair[0]), decodePart(pair[1])]);
    }
    start = end + 1;
  }
  return pairs;
}

function tooMany(place: string, text: string): Refusal {
  const { length } = text.split("&").filter((part) => part !== "");
  const cause = `${place}: expected at most ${maxPairs} parameters, got ${length}`;
  return new Refusal(builtInErrors.WebrpcBadRequest, cause);
}

/** Returns the name and the value of a pair, still encoded. */
export function splitPair(pair: string): readonly [string, string] {
  const at = pair.indexOf("=");
  return at === -1 ? [pair, ""] : [pair.slice(0, at), pair.slice(at + 1)];
}

/** A problem with a value, without the text, which may be sensitive. */
type ValueFault = Omit<Failure, "path">;

/** The problem of a text that is not UTF-8. */
export const notUtf8: ValueFault = {
  expected: "text in UTF-8",
  got: "other bytes",
};

/** Returns the problem of a single value that is given several times. */
export function severalValues(count: number): ValueFault {
  return { expected: "one value", got: String(count) };
}

/**
 * Reads a number or a boolean in a query or a form. The validator reports other
 * text.
 */
export function readScalar(text: string, isExact = false): unknown {
  if (text === "true") return true;
  if (text === "false") return false;
  const isNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/u.test(text);
  if (!isNumber) return text;
  return isExact ? parseJson(text) : Number(text);
}
