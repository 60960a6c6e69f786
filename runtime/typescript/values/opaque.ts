/**
 * Whether JSON leaves out the content of an object, such as that of a `Map`, of
 * `Headers` or of an `Error`. An instance of any other class is its own properties.
 */
export function isOpaque(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  // Objects of another realm have a prototype of their own.
  if (prototype === null || Object.getPrototypeOf(prototype) === null) {
    return false;
  }
  return (
    Symbol.iterator in value ||
    value instanceof Error ||
    (Object.keys(value).length === 0 &&
      // Classes of the platform have names, such as `[object Promise]`.
      Object.prototype.toString.call(value) !== "[object Object]")
  );
}
