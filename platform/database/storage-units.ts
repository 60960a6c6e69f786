/**
 * The size that counts as one unit, in bytes. Rows of the same table can differ a
 * thousandfold, so limits on what is stored are in units.
 */
export const unitBytes = 8 * 1024;

/** Returns how many units a stored value has, at least 1. */
export function unitsOf(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / unitBytes));
}
