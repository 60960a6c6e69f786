/**
 * Remembers what a pure function made of an object, as long as that lives, so
 * that several emitters can ask for the same view of a contract. Nobody can
 * tell but by the time it takes: contracts and options never change.
 *
 * Output: the function, giving the same result for the same object.
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

/** {@link rememberEach} of two objects. */
export function remember<First extends object, Second extends object, Value>(
  make: (first: First, second: Second) => Value,
): (first: First, second: Second) => Value {
  const byFirst = rememberEach((first: First) =>
    rememberEach((second: Second) => make(first, second)),
  );
  return (first, second) => byFirst(first)(second);
}
