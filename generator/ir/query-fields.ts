import type { QueryParameter } from "./contract.js";
import type { RestRoute } from "./rest-target.js";

/** A field in a query. */
export type QueryField = Extract<QueryParameter, { kind: "field" }>;

/** Returns the parameters of a query that are fields, in order. */
export function queryFieldsOf({ query }: RestRoute): readonly QueryField[] {
  return query.filter((each) => each.kind === "field");
}

/** Whether a parameter is a list whose items are separated by commas. */
export function isJoined(parameter: QueryParameter): boolean {
  return parameter.kind === "field" && parameter.isJoined;
}

/** Whether a method is a GET whose whole request is in the path. */
export function isPathRead({ headers, query, verb }: RestRoute): boolean {
  return verb === "GET" && query.length === 0 && headers.length === 0;
}
