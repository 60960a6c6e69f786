/**
 * A typed key in the context of a request. Interceptors, verifiers, and
 * handlers use it to share a value.
 *
 * Example: `const userKey = createKey<User>("user");`, then, on a server,
 * `context.set(userKey, user)` and `context.get(userKey)`. On a client,
 * `userKey.write(call.context, user)` and `userKey.read(call.context)`.
 */
export interface ContextKey<Value> {
  /** A name for display. Keys are distinct even if they have the same name. */
  readonly name: string;
  /** Returns the value in a context, or undefined if it is not set. */
  read(context: object): Value | undefined;
  /** Sets the value in a context. */
  write(context: object, value: Value): void;
}

/** Creates a unique key. */
export function createKey<Value>(name: string): ContextKey<Value> {
  // Store values by context, because this is typed and costs nothing if unused.
  const values = new WeakMap<object, Value>();
  return {
    name,
    read: (context) => values.get(context),
    write: (context, value) => void values.set(context, value),
  };
}
