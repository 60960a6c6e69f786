import type { Method } from "./contract.js";

/** Returns the HTTP status of a method's success: 200 unless `@http` has one. */
export function successStatusOf({ route }: Method): number {
  return route.kind === "rest" ? route.status : 200;
}
