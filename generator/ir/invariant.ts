/**
 * Asserts a condition. A failure is a bug in ridlkit, never a mistake in a
 * schema. Errors: throws if `condition` is false.
 */
export function invariant(
  condition: boolean,
  message: string,
): asserts condition {
  if (!condition) throw new Error(`ridlkit bug: ${message}`);
}
