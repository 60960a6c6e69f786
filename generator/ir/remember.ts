/**
 * Caches the result of a pure function for each object, as long as the object
 * exists, so that several emitters can share a view of a contract. Contracts
 * and options never change, so caching only affects speed.
 *
 * Returns a function that returns the same result for the same object.
 */
export function rememberEach<Key extends object, Value>(
  make: (key: Key) => Value,
): (key: Key) => Value {
  const made = new WeakMap<Key, { readonly value: Value }>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known.value;
    const value = make(key);
    made.set(key, { value });
    return value;
  };
}

/** Works like {@link rememberEach} for a function of two objects. */
export function remember<First extends object, Second extends object, Value>(
  make: (first: First, second: Second) => Value,
): (first: First, second: Second) => Value {
  const byFirst = rememberEach((first: First) =>
    rememberEach((second: Second) => make(first, second)),
  );
  return (first, second) => byFirst(first)(second);
}
