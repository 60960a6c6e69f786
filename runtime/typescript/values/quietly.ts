/**
 * Runs a callback whose failure must not affect the caller, even if the
 * callback is async. Returns null if it throws.
 */
export function quietly<Value>(run: () => Value): Value | null {
  try {
    const value = run();
    if (value instanceof Promise) value.catch(() => undefined);
    return value;
  } catch {
    return null;
  }
}
