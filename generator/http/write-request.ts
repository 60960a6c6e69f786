import type { Field } from "../ir/contract.js";
import { isJsonList, type Json, membersOf, writeJson } from "../values/json.js";
import { listMarkOf } from "./request.js";
import { foldRequest, type FieldSlot, skip } from "./slots.js";
import type { BodyContent, WireRequest } from "./wire-method.js";

/** Returns the JSON of a field of a request, or undefined if it is absent. */
export type ValueOf = (field: Field) => Json | undefined;

/** Returns the text of a scalar where there is only text. */
export function textOf(value: Json): string {
  return typeof value === "string" ? value : writeJson(value);
}

/** Percent-encodes a value in an address. Commas separate the items of a list. */
export function encodeValue(value: Json): string {
  return itemsOf(value)
    .map((item) => encodeURIComponent(textOf(item)))
    .join();
}

/** Returns the pairs of a query, like `printQuery` of the runtime. */
export function writeQuery(
  request: WireRequest,
  valueOf: ValueOf,
): readonly string[] {
  const pair = (name: string, text: string): string =>
    `${encodeURIComponent(name)}=${text}`;
  return foldRequest<string>(request, {
    path: skip,
    query: ({ field, list, name }) => {
      const items = itemsOf(valueOf(field));
      const isOne = list === "joined" && items.length > 0;
      return (isOne ? [items] : items).map((each) =>
        pair(name, encodeValue(each)),
      );
    },
    fixed: ({ name, value }) => [pair(name, encodeURIComponent(value))],
    header: skip,
    member: skip,
    part: skip,
    whole: skip,
  });
}

/** Returns the texts of the fields in headers. Fields without items have none. */
export function writeHeaders(
  request: WireRequest,
  valueOf: ValueOf,
): readonly (readonly [slot: FieldSlot, texts: readonly string[]])[] {
  return foldRequest(request, {
    path: skip,
    query: skip,
    fixed: skip,
    header: (slot) => {
      const items = itemsOf(valueOf(slot.field));
      return items.length === 0 ? [] : [[slot, items.map(textOf)] as const];
    },
    member: skip,
    part: skip,
    whole: skip,
  });
}

/** Returns the items of a list, another value alone, and nothing without one. */
function itemsOf(value: Json | undefined): readonly Json[] {
  if (value === undefined || value === null) return [];
  return isJsonList(value) ? value : [value];
}

/**
 * Writes an object as a form, like `printForm` of the runtime. Null and empty
 * values add nothing.
 */
export function writeForm(value: Json, content: BodyContent): string {
  return formPairs(value, content)
    .map((pair) => pair.map(encodeURIComponent).join("="))
    .join("&");
}

/** Returns the names in a form, with their values, of an object. */
export function formPairs(
  value: Json,
  content: BodyContent,
): readonly (readonly [name: string, text: string])[] {
  const mark = listMarkOf(content);
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

/** Escapes a name in a form with files as browsers do. */
export function escapePartName(name: string): string {
  return name.replace(/["\r\n]/gu, encodeURIComponent);
}
