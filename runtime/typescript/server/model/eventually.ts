import { isThenable } from "../../values/member.js";

/** A value or a promise of one. */
export type Eventually<Value> = Value | Promise<Value>;

/**
 * Continues with the result of untyped code, either immediately or once its
 * promise resolves.
 *
 * Errors: any error from `next` or the promise.
 */
export function follow<Value>(
  returned: unknown,
  next: (value: unknown) => Eventually<Value>,
): Eventually<Value> {
  return isThenable(returned)
    ? Promise.resolve(returned).then(next)
    : next(returned);
}
