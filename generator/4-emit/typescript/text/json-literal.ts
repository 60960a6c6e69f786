import {
  isList,
  type JsonObject,
  type JsonValue,
} from "../../emitter/json-value.js";
import { ownLines, type Doc, type LinePlace } from "./format.js";
import { quoteKey, quoteString } from "./quote.js";
import { linesObjectOf } from "./shapes.js";
import { widthOf } from "./width.js";

/** Prints a JSON object as an object literal with one member on each line. */
export function tableLiteral(table: JsonObject): Doc {
  return linesObjectOf(
    Object.entries(table).map(([key, value]) => literalEntry(key, value)),
  );
}

/**
 * Prints an entry of an object literal that has one entry on each line. The
 * value is on one line if it fits.
 */
export function literalEntry(name: string, value: JsonValue): Doc {
  return ownLines((place) => printMember(name, value, place));
}

function printMember(name: string, value: JsonValue, place: LinePlace): string {
  const key = quoteKey(name, place.hasTypes);
  const column = place.depth + widthOf(key) + 2;
  const literal = printValue(value, column, place);
  const isTooLong =
    !literal.includes("\n") && column + widthOf(literal) >= place.width;
  // After a short key, a separate line saves no space.
  return isTooLong && widthOf(key) >= 5
    ? `${key}:${breakTo(place.depth + 2)}${literal}`
    : `${key}: ${literal}`;
}

/** Prints a value that starts in a column and precedes a comma. */
function printValue(
  value: JsonValue,
  column: number,
  place: LinePlace,
): string {
  const flat = printFlat(value, place.width - column - 1, place.hasTypes);
  if (flat !== null) return flat;
  if (typeof value !== "object" || value === null) return printPlain(value);
  const inner = { ...place, depth: place.depth + 2 };
  let text = "";
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    const part = isList(value)
      ? printValue(member, inner.depth, inner)
      : printMember(name, member, inner);
    text += `${breakTo(inner.depth)}${part},`;
  }
  const end = breakTo(place.depth);
  return isList(value) ? `[${text}${end}]` : `{${text}${end}}`;
}

/** Prints a value on one line. Returns null if it needs too many columns. */
function printFlat(
  value: JsonValue,
  columns: number,
  hasTypes: boolean,
): string | null {
  if (typeof value !== "object" || value === null) {
    const text = printPlain(value);
    return widthOf(text) <= columns ? text : null;
  }
  let text = "";
  let left = columns - (isList(value) ? 2 : 4);
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    const key = isList(value) ? "" : `${quoteKey(name, hasTypes)}: `;
    const start = text === "" ? key : `, ${key}`;
    left -= widthOf(start);
    const part = left < 0 ? null : printFlat(member, left, hasTypes);
    if (part === null) return null;
    left -= widthOf(part);
    text += start + part;
  }
  if (isList(value)) return `[${text}]`;
  return text === "" ? "{}" : `{ ${text} }`;
}

function printPlain(value: Exclude<JsonValue, object>): string {
  return typeof value === "string"
    ? quoteString(value)
    : String(value).replace("e+", "e");
}

function breakTo(depth: number): string {
  return `\n${" ".repeat(depth)}`;
}
