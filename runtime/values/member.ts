/** Any function with unknown parameters. */
export type UnknownFunction = (
  this: unknown,
  ...args: readonly unknown[]
) => unknown;

/** Whether a value can be called. */
export function isFunction(value: unknown): value is UnknownFunction {
  return typeof value === "function";
}

/**
 * Returns a member of an object whose type does not declare it, e.g. of the
 * options of a generated server; undefined if there is none.
 */
export function memberOf(owner: unknown, key: string): unknown {
  const hasMembers =
    (typeof owner === "object" && owner !== null) || isFunction(owner);
  return hasMembers ? Reflect.get(owner, key) : undefined;
}
