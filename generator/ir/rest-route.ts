import type { Route } from "./contract.js";

/** A method's verb, path and query of its own. */
export type RestRoute = Extract<Route, { kind: "rest" }>;
