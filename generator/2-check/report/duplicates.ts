/** Two items with the same key. */
export interface Duplicate<Item> {
  readonly first: Item;
  readonly again: Item;
}

/**
 * Items whose key an earlier item has. Items without a key (null, or an empty
 * name, about which the parser has complained) are left out.
 */
export function findDuplicates<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string | null,
): readonly Duplicate<Item>[] {
  if (items.length < 2) return [];
  const firsts = new Map<string, Item>();
  const found: Duplicate<Item>[] = [];
  for (const item of items) {
    const key = keyOf(item);
    if (key === null || key === "") continue;
    const first = firsts.get(key);
    if (first === undefined) firsts.set(key, item);
    else found.push({ first, again: item });
  }
  return found;
}
