/** Counts the items that satisfy a condition, all of which come first. */
export function countWhile<Each>(
  items: readonly Each[],
  isTrue: (item: Each) => boolean,
): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = items[middle];
    if (item !== undefined && isTrue(item)) low = middle + 1;
    else high = middle;
  }
  return low;
}
