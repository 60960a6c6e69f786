import { isRecord } from "../values/predicates.js";
import { parseJson } from "../wire/json.js";

/**
 * Reads a message without rounding integers.
 *
 * Errors: those of `parseJson`, and JsonSyntaxError if it is not an object.
 */
export function parseJsonObject(text: string): unknown {
  return parseJson(/^\s*\{/.test(text) ? text : "");
}

/**
 * Writes the JSON of a request. It adds less code to a bundle than
 * `stringifyJson`, and is slower for large values.
 *
 * Input: a valid message, which cannot contain itself.
 */
export function stringifyMessage(value: unknown): string {
  if (typeof value === "bigint") return `${value}`;
  if (Array.isArray(value)) return `[${[...value].map(stringifyMessage)}]`;
  if (!isRecord(value) || typeof value["toJSON"] === "function") {
    return JSON.stringify(value) ?? "null";
  }
  const members = Object.entries(value).flatMap(([key, member]) =>
    member === undefined
      ? []
      : `${stringifyMessage(key)}:${stringifyMessage(member)}`,
  );
  return `{${members}}`;
}
