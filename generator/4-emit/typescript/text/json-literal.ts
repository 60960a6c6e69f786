import {
  isList,
  type JsonObject,
  type JsonValue,
} from "../../emitter/json-value.js";
import type { Doc } from "./format.js";
import { quoteString } from "./quote.js";
import {
  arrayOf,
  entryOf,
  keyedOf,
  linesObjectOf,
  objectOf,
} from "./shapes.js";

/** Prints a JSON object as an object literal with one member on each line. */
export function tableLiteral(table: JsonObject): Doc {
  return linesObjectOf(membersOf(table));
}

/** Prints a JSON object as an object literal, on one line if it fits. */
export function objectLiteral(object: JsonObject): Doc {
  return objectOf(membersOf(object));
}

function membersOf(object: JsonObject): readonly Doc[] {
  return Object.entries(object)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => keyedOf(name, (key) => member(key, value)));
}

function member(key: string, value: JsonValue): Doc {
  const literal = literalOf(value);
  return typeof literal === "string"
    ? entryOf(key, literal)
    : [`${key}: `, literal];
}

/**
 * Returns a string for a value that stays on one line regardless of its length.
 */
function literalOf(value: JsonValue): Doc {
  if (isList(value)) return arrayOf(value.map(literalOf));
  if (typeof value === "object" && value !== null) return objectLiteral(value);
  return typeof value === "string"
    ? quoteString(value)
    : String(value).replace("e+", "e");
}
