/**
 * Remembers what a pure function made of two objects, as long as those live,
 * so that several emitters can ask for the same view of a contract. Nobody can
 * tell but by the time it takes: contracts and options never change.
 *
 * Output: the function, giving the same result for the same two objects.
 */
export function remember<First extends object, Second extends object, Value>(
  make: (first: First, second: Second) => Value,
): (first: First, second: Second) => Value {
  const made = new WeakMap<First, WeakMap<Second, { readonly value: Value }>>();
  return (first, second) => {
    const bySecond =
      made.get(first) ?? new WeakMap<Second, { readonly value: Value }>();
    made.set(first, bySecond);
    const known = bySecond.get(second) ?? { value: make(first, second) };
    bySecond.set(second, known);
    return known.value;
  };
}
