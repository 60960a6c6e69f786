import type { Method } from "../../ir/contract.js";

const order: readonly Method["safety"][] = ["none", "idempotent", "readonly"];

/**
 * Whether a method that is called as before may be repeated more freely than
 * another one.
 */
export function isSafer(one: Method, other: Method): boolean {
  return (
    // Streams are begun again only when somebody says so.
    !other.response.isStream &&
    one.route.kind === "rpc" &&
    other.route.kind === "rpc" &&
    order.indexOf(one.safety) > order.indexOf(other.safety)
  );
}
