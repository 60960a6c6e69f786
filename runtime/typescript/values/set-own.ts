/**
 * Sets a member of an object. Assigning to `__proto__` would call the inherited
 * setter.
 */
export function setOwn(
  object: Record<string, unknown>,
  key: string,
  value: unknown,
): void {
  if (key !== "__proto__") object[key] = value;
  else {
    Object.defineProperty(object, key, {
      value,
      configurable: true,
      enumerable: true,
      writable: true,
    });
  }
}
