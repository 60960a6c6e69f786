/**
 * Whether JSON leaves out the content of an object, such as that of a `Map`, of
 * `Headers`, of an `Error`, or of a class with accessors and private fields only.
 * An instance of another class is its own properties.
 */
export function isOpaque(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  // Objects of another realm have a prototype of their own.
  if (prototype === null || Object.getPrototypeOf(prototype) === null) {
    return false;
  }
  return (
    Symbol.iterator in value ||
    Symbol.asyncIterator in value ||
    value instanceof Error ||
    // Private fields cannot be seen, so every empty instance may have some.
    Object.keys(value).length === 0
  );
}
