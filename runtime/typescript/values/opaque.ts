/**
 * Whether JSON leaves out the content of an object, such as that of a `Map`, of
 * `Headers`, of an `Error`, or of a class with accessors and private fields only.
 * An instance of another class is its own properties.
 */
export function isOpaque(value: object): boolean {
  return (
    isInstance(value) &&
    (Symbol.iterator in value ||
      Symbol.asyncIterator in value ||
      value instanceof Error ||
      // Private fields cannot be seen, so every empty instance may have some.
      Object.keys(value).length === 0)
  );
}

/**
 * Whether an object cannot have the fields of a struct, because its class is part
 * of the platform: a `Map`, a `Date`, a promise. Unlike `isOpaque`, this accepts
 * instances of classes with accessors, which servers read by name.
 */
export function isForeign(value: object): boolean {
  return (
    isInstance(value) &&
    Object.keys(value).length === 0 &&
    Object.prototype.toString.call(value) !== "[object Object]"
  );
}

/** Whether an object has a class other than `Object`, in any realm. */
function isInstance(value: object): boolean {
  return Object.getPrototypeOf(Object.getPrototypeOf(value) ?? value) !== null;
}
