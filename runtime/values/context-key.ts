/**
 * A typed place in the context of a request, where one interceptor or verifier
 * leaves a value and others find it.
 *
 * Example: `const userKey = createKey<User>("user");`, then
 * `context.set(userKey, user)` and `context.get(userKey)`.
 */
export interface ContextKey<Value> {
  /** For people. Two keys of the same name are different places. */
  readonly name: string;
  /** What was written for this context; undefined when nothing was. */
  read(context: object): Value | undefined;
  /** Replaces what was written for this context. */
  write(context: object, value: Value): void;
}

/** Makes a place of its own. */
export function createKey<Value>(name: string): ContextKey<Value> {
  // By context and not in it: typed, and it costs nothing where it is not used.
  const values = new WeakMap<object, Value>();
  return {
    name,
    read: (context) => values.get(context),
    write: (context, value) => void values.set(context, value),
  };
}
