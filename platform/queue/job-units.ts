/**
 * The size of a payload that counts as one unit, in bytes. Payloads of the same
 * queue can differ a thousandfold, so limits on jobs are in units.
 */
const unitBytes = 8 * 1024;

/** Returns how many units a payload has, at least 1. */
export function unitsOf(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / unitBytes));
}
