import type { JsonObject, JsonValue } from "../../emitter/json-value.js";
import type { Doc } from "../text/format.js";
import { quoteString } from "../text/quote.js";
import { arrayOf, entryOf, keyedOf, linesObjectOf } from "../text/shapes.js";

/** Returns a JSON object as an object literal with one member a line. */
export function objectLiteral(object: JsonObject): Doc {
  const members = Object.entries(object).filter(
    ([, value]) => value !== undefined,
  );
  return linesObjectOf(
    members.map(([name, value]) => keyedOf(name, (key) => member(key, value))),
  );
}

function member(key: string, value: JsonValue): Doc {
  const literal = literalOf(value);
  return typeof literal === "string"
    ? entryOf(key, literal)
    : [`${key}: `, literal];
}

/** Text for a value that takes one line, whatever its length. */
function literalOf(value: JsonValue): Doc {
  if (isList(value)) return arrayOf(value.map(literalOf));
  if (typeof value === "object" && value !== null) return objectLiteral(value);
  return typeof value === "string"
    ? quoteString(value)
    : String(value).replace("e+", "e");
}

/** Unlike `Array.isArray`, for readonly lists as well. */
function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
