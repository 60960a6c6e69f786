import { rememberEach } from "../../ir/remember.js";

/** Two items with the same key. */
export interface Duplicate<Item> {
  readonly first: Item;
  readonly again: Item;
  readonly key: string;
}

/** Returns items with the key of an earlier item. Null and "" are not keys. */
export function findDuplicates<Item>(
  items: readonly Item[],
  keyOf: (item: Item, index: number) => string | null,
): readonly Duplicate<Item>[] {
  if (items.length < 2) return [];
  const firsts = new Map<string, Item>();
  const found: Duplicate<Item>[] = [];
  items.forEach((item, index) => {
    const key = keyOf(item, index);
    if (key === null || key === "") return;
    const first = firsts.get(key);
    if (first === undefined) firsts.set(key, item);
    else found.push({ first, again: item, key });
  });
  return found;
}

/**
 * Creates a function that finds duplicates within each document and its
 * imports, and then within the contract. Each item is reported once. Caches the
 * keys and duplicates of each list.
 */
export function createClashFinder<Item extends object>(
  keyOf: (item: Item) => string,
  isSame: (a: Item, b: Item) => boolean = () => false,
): (
  parts: readonly (readonly Item[])[],
  whole: readonly (readonly Item[])[],
) => readonly Duplicate<Item>[] {
  const keysOf = rememberEach((items: readonly Item[]) => items.map(keyOf));
  const duplicatesIn = rememberEach((items: readonly Item[]) =>
    findDuplicates(items, keyOf),
  );
  const areUnique = (lists: readonly (readonly Item[])[]): boolean => {
    const keys = new Set<string>();
    let count = 0;
    for (const list of lists) {
      count += list.length;
      for (const key of keysOf(list)) keys.add(key);
    }
    return keys.size === count;
  };
  return (parts, whole) => {
    const within = parts.flatMap(duplicatesIn);
    // Fast path: nearly all contracts have no duplicates.
    if (within.length === 0 && areUnique(whole)) return [];
    const blamed = new Set<Item>();
    return [
      ...within,
      ...findDuplicates(whole.flat(), keyOf).filter(
        ({ first, again }) => !isSame(first, again),
      ),
    ].filter(({ first, again }) => {
      if (blamed.has(first) || blamed.has(again)) return false;
      blamed.add(again);
      return true;
    });
  };
}
