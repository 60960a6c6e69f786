import { escapeUnits, invisible, toWellFormed } from "./invisible.js";

/** A JSON value whose integers can exceed 2^53-1. Undefined is omitted. */
export type JsonValue =
  | JsonObject
  | readonly JsonValue[]
  | bigint
  | boolean
  | null
  | number
  | string
  | undefined;

/** A JSON object. Undefined members are omitted. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** Prints indented JSON, with exact integers and no invisible characters. */
export function printJson(value: JsonValue): string {
  return `${printIndented(value, "\n")}\n`;
}

function printIndented(value: JsonValue, lineBreak: string): string {
  if (typeof value !== "object" || value === null) return printPlain(value);
  const inner = `${lineBreak}  `;
  if (isList(value)) {
    const items = value.map((item) => inner + printIndented(item, inner));
    return items.length === 0 ? "[]" : `[${items.join()}${lineBreak}]`;
  }
  let members = "";
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined) continue;
    const comma = members === "" ? "" : ",";
    members += `${comma}${inner}${printText(key)}: ${printIndented(member, inner)}`;
  }
  return members === "" ? "{}" : `{${members}${lineBreak}}`;
}

function printPlain(value: Exclude<JsonValue, object>): string {
  return typeof value === "string" ? printText(value) : String(value);
}

/** Matches only text that needs no escaping. */
const harmless = /^[ !#-[\]-~]*$/;

function printText(text: string): string {
  if (harmless.test(text)) return `"${text}"`;
  return JSON.stringify(toWellFormed(text)).replace(invisible, escapeUnits);
}

/** Narrows to a readonly list, unlike `Array.isArray`. */
export function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
