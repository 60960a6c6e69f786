import type { Method } from "../../../ir/contract.js";
import type { FieldPlan, PathFields, Value } from "./plan.js";

/**
 * Returns the path of a method in a request line, e.g. `/rpc/API/GetOrders` or
 * `/tokens/{network}/{tokenIDs}`, or "" if the caller chooses the address.
 */
export function routePath({ route }: Method): string {
  switch (route.kind) {
    case "rpc":
      return encodePath(route.path);
    case "rest":
      return encodePath(route.path.text);
    case "webhook":
      return "";
  }
}

function encodePath(path: string): string {
  if (/^[\w/.-]*$/u.test(path)) return path;
  const isParameter = /^\{\w+\}$/u;
  return path
    .split("/")
    .map((part) => (isParameter.test(part) ? part : encodeSegment(part)))
    .join("/");
}

/** Percent-encodes a segment, so that client and server use the same path. */
function encodeSegment(text: string): string {
  return encodeURI(text.replace(/\p{Surrogate}/gu, "\ufffd"))
    .replaceAll("?", "%3F")
    .replaceAll("#", "%23");
}

/**
 * Finds the fields in a path that must be parsed. Input: the fields of the
 * request of a REST read.
 */
export function pathFields(fields: readonly FieldPlan[]): PathFields {
  const namesOf = (isChosen: (value: Value) => boolean): readonly string[] =>
    fields.flatMap(({ field, type }) => (isChosen(type) ? field.jsonName : []));
  return {
    // Bytes are one base64 string, not a list.
    lists: namesOf(({ kind }) => kind === "list"),
    json: namesOf((value) =>
      isJson(value.kind === "list" ? value.held : value),
    ),
  };
}

/** Whether a value is written in JSON without quotes. */
function isJson(value: Value): boolean {
  return value.kind === "scalar" && value.form.writing === "bare";
}
