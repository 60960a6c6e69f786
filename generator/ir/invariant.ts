/**
 * States what must hold at this point; a failure is a bug of ridlkit, never a
 * mistake in a schema.
 * Errors: throws when `condition` is false.
 */
export function invariant(
  condition: boolean,
  message: string,
): asserts condition {
  if (!condition) throw new Error(`ridlkit bug: ${message}`);
}
