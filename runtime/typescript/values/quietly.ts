import { isThenable } from "./member.js";

/**
 * Runs a callback whose failure must not affect the caller, even if the
 * callback is async. Returns null if it throws.
 */
export function quietly<Value>(run: () => Value): Value | null {
  try {
    const value = run();
    if (isThenable(value)) Promise.resolve(value).catch(() => undefined);
    return value;
  } catch {
    return null;
  }
}
