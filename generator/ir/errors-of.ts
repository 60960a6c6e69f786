import type { Host, Method } from "./contract.js";

/** Returns the names of the declared errors that a method can return. */
export function errorsOf(
  { errors }: Pick<Host, "errors">,
  method: Pick<Method, "errors">,
): readonly string[] {
  return method.errors ?? errors;
}
