import type { QueryParameter, Route } from "./contract.js";

type RestRoute = Extract<Route, { kind: "rest" }>;

/** A field in a query. */
export type QueryField = Extract<QueryParameter, { kind: "field" }>;

/** Returns the parameters of a query that are fields, in order. */
export function queryFieldsOf({ query }: RestRoute): readonly QueryField[] {
  return query.filter((each) => each.kind === "field");
}
