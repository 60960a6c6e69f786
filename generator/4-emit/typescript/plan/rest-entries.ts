import type { QueryParameter, RequestBody } from "../../../ir/contract.js";
import type { Doc } from "../text/format.js";
import { quoteString } from "../text/quote.js";
import { arrayOf, entryOf, keyedOf, objectOf } from "../text/shapes.js";

/** Returns the entry for the query of a REST method, if it has one. */
export function queryEntry(query: readonly QueryParameter[]): readonly Doc[] {
  if (query.length === 0) return [];
  const entries = query.map((each) =>
    keyedOf(each.name, (key) =>
      each.kind === "field"
        ? `${key}: ${quoteString(each.field)}`
        : [`${key}: `, arrayOf([quoteString(each.value)])],
    ),
  );
  return [["query: ", objectOf(entries)]];
}

/** Returns the entry for the body of a request, if it has one. */
export function requestBodyEntry(body: RequestBody): readonly Doc[] {
  switch (body.kind) {
    case "none":
      return [];
    case "fields":
      return ["requestBody: true"];
    case "field":
      return [entryOf("requestBody", quoteString(body.field))];
  }
}
