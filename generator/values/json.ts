import type { BodyFormat } from "../ir/contract.js";

/** A JSON value. Integers can be `bigint`, so that none is rounded. */
export type Json =
  null | boolean | number | bigint | string | readonly Json[] | WireObject;

/** A JSON object. */
export interface WireObject {
  readonly [name: string]: Json;
}

/** Writes JSON, with every `bigint` as a number. */
export function writeJson(value: Json): string {
  if (typeof value === "bigint") return String(value);
  if (isJsonList(value)) return `[${value.map(writeJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = membersOf(value).map(
    ([name, member]) => `${JSON.stringify(name)}:${writeJson(member)}`,
  );
  return `{${members.join(",")}}`;
}

/** Narrows to a readonly list, unlike `Array.isArray`. */
export function isJsonList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/** Returns the members of an object, or none for other values. */
export function membersOf(value: Json): readonly (readonly [string, Json])[] {
  return typeof value === "object" && value !== null && !isJsonList(value)
    ? Object.entries(value)
    : [];
}

/**
 * Writes an object as a form, like `printForm` of the runtime. Null and empty
 * values add nothing.
 */
export function writeForm(value: Json, format: BodyFormat): string {
  return pairsOf(value, format)
    .map((pair) => pair.map(encodeURIComponent).join("="))
    .join("&");
}

/** Returns the names in a form, with their values, of an object. */
export function pairsOf(
  value: Json,
  format: BodyFormat,
): readonly (readonly [name: string, text: string])[] {
  const mark = format === "bracket-form" ? "[]" : "";
  return membersOf(value).flatMap(([name, member]) =>
    fieldPairs(name, member, mark),
  );
}

/** Returns names in a form with their values. */
function fieldPairs(
  name: string,
  value: Json,
  mark: string,
): readonly (readonly [string, string])[] {
  if (value === null) return [];
  if (typeof value !== "object") return [[name, String(value)]];
  const isFlat = isJsonList(value) && value.every((item) => !isNested(item));
  return Object.entries(value).flatMap(([key, member]: [string, Json]) =>
    fieldPairs(isFlat ? name + mark : `${name}[${key}]`, member, mark),
  );
}

function isNested(value: Json): boolean {
  return typeof value === "object" && value !== null;
}
