/**
 * Whether JSON leaves out the content of an object, such as that of a `Map`, of
 * `Headers` or of an `Error`.
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
    Object.keys(value).length === 0
  );
}
