/** A value that is there, or will be. */
export type Eventually<Value> = Value | Promise<Value>;

/**
 * Goes on with what untyped code returns: at once, or when its promise is kept.
 *
 * Errors: those of `next` and of the promise.
 */
export function follow<Value>(
  returned: unknown,
  next: (value: unknown) => Eventually<Value>,
): Eventually<Value> {
  return isThenable(returned)
    ? Promise.resolve(returned).then(next)
    : next(returned);
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value;
}
