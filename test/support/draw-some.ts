/** Whether this is `npm run test:long`. */
export const isLong = process.env["RIDLKIT_RUNS"] !== undefined;

/**
 * Keeps a sample of the items in `npm test`, always the same ones, and all of
 * them in `npm run test:long`. Input: `first` varies the sample between callers.
 */
export function drawSome<Item>(
  items: readonly Item[],
  oneOf: number,
  first = 0,
): readonly Item[] {
  if (isLong) return items;
  return items.filter((_, index) => index % oneOf === first % oneOf);
}
