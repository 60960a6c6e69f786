/** Any function with unknown parameters. */
export type UnknownFunction = (
  this: unknown,
  ...args: readonly unknown[]
) => unknown;

/** Whether a value can be called. */
export function isFunction(value: unknown): value is UnknownFunction {
  return typeof value === "function";
}

/** Whether a value is a promise, also of another realm or of a library. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value;
}

/**
 * Returns a member that an object's type does not declare, e.g. of a generated
 * server's options, or undefined if there is none.
 */
export function memberOf(owner: unknown, key: string): unknown {
  const hasMembers =
    (typeof owner === "object" && owner !== null) || isFunction(owner);
  return hasMembers ? Reflect.get(owner, key) : undefined;
}
