/** Returns the result of work, or null if the work throws an error. */
export function orNull<Value>(work: () => Value): Value | null {
  try {
    return work();
  } catch {
    return null;
  }
}
