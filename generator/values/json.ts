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
