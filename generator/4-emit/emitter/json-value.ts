import { escapeInJson, toWellFormed } from "./invisible.js";

/** A JSON value whose integers can exceed 2^53-1; undefined is left out. */
export type JsonValue =
  | JsonObject
  | readonly JsonValue[]
  | bigint
  | boolean
  | null
  | number
  | string
  | undefined;

/** A JSON object; members that are undefined are left out. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** Prints a value as `JSON.stringify` does, integers exact, nothing invisible. */
export function printJson(value: JsonValue): string {
  return escapeInJson(`${printIndented(value, "\n")}\n`);
}

function printIndented(value: JsonValue, lineBreak: string): string {
  const inner = `${lineBreak}  `;
  if (isList(value)) {
    const items = value.map((item) => inner + printIndented(item, inner));
    return items.length === 0 ? "[]" : `[${items.join()}${lineBreak}]`;
  }
  if (typeof value !== "object" || value === null) return printPlain(value);
  const entries = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(
      ([key, member]) =>
        `${inner}${printPlain(key)}: ${printIndented(member, inner)}`,
    );
  return entries.length === 0 ? "{}" : `{${entries.join()}${lineBreak}}`;
}

function printPlain(value: Exclude<JsonValue, object>): string {
  const plain = typeof value === "string" ? toWellFormed(value) : value;
  return typeof plain === "bigint" ? String(plain) : JSON.stringify(plain);
}

/** Unlike `Array.isArray`, for readonly lists as well. */
export function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
