import { escapeInJson } from "./invisible.js";

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
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner = `${lineBreak}  `;
  if (isList(value)) {
    const items = value.map((item) => inner + printIndented(item, inner));
    return items.length === 0 ? "[]" : `[${items.join()}${lineBreak}]`;
  }
  const entries = definedEntries(value).map(
    ([key, member]) =>
      `${inner}${JSON.stringify(key)}: ${printIndented(member, inner)}`,
  );
  return entries.length === 0 ? "{}" : `{${entries.join()}${lineBreak}}`;
}

/** Whether a value is a list; unlike `Array.isArray`, for readonly ones as well. */
export function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** The members of an object that are not undefined. */
export function definedEntries(
  value: JsonObject,
): readonly (readonly [string, JsonValue])[] {
  return Object.entries(value).filter(([, member]) => member !== undefined);
}
