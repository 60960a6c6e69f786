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
  return linesObjectOf(entriesOf(table));
}

/** Prints an entry of an object literal. */
export function literalEntry(name: string, value: JsonValue): Doc {
  return keyedOf(name, (key) =>
    typeof value === "object" && value !== null
      ? [`${key}: `, literalOf(value)]
      : entryOf(key, printPlain(value)),
  );
}

function entriesOf(value: JsonObject): readonly Doc[] {
  return Object.entries(value).flatMap(([name, member]) =>
    member === undefined ? [] : [literalEntry(name, member)],
  );
}

function literalOf(value: JsonValue): Doc {
  if (typeof value !== "object" || value === null) return printPlain(value);
  return isList(value)
    ? arrayOf(value.map(literalOf))
    : objectOf(entriesOf(value));
}

function printPlain(value: Exclude<JsonValue, object>): string {
  return typeof value === "string"
    ? quoteString(value)
    : String(value).replace("e+", "e");
}
