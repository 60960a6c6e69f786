/** Any function, before it is known what it takes. */
export type UnknownFunction = (
  this: unknown,
  ...args: readonly unknown[]
) => unknown;

/** Whether a value can be called. */
export function isFunction(value: unknown): value is UnknownFunction {
  return typeof value === "function";
}

/**
 * A member of an object whose type says nothing about it, e.g. of the options
 * of a generated server; undefined when there is none.
 */
export function memberOf(owner: unknown, key: string): unknown {
  const hasMembers =
    (typeof owner === "object" && owner !== null) || isFunction(owner);
  return hasMembers ? Reflect.get(owner, key) : undefined;
}
