import { isList } from "../../4-emit/emitter/json-value.js";

/** A JSON value. Integers are `bigint`, so that none is rounded. */
export type Json =
  null | boolean | number | bigint | string | readonly Json[] | WireObject;

/** A JSON object. */
export interface WireObject {
  readonly [name: string]: Json;
}

/** Writes JSON, with every `bigint` as a number. */
export function writeJson(value: Json): string {
  if (typeof value === "bigint") return String(value);
  if (isList(value)) return `[${value.map(writeJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}:${writeJson(member)}`,
  );
  return `{${members.join(",")}}`;
}
