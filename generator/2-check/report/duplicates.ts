import { rememberEach } from "../../ir/remember.js";

/** Two items with the same key. */
export interface Duplicate<Item> {
  readonly first: Item;
  readonly again: Item;
  readonly key: string;
}

/**
 * Returns the items that have the same key as an earlier item. Items without a
 * key (null, or an empty name, which the parser reports) are ignored.
 */
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
 * imports, and then within the contract as a whole, where identical
 * declarations may be allowed. Each item is reported once. Caches the keys and
 * duplicates of each document.
 */
export function createClashFinder<Item extends object>(
  keyOf: (item: Item) => string,
  isSame: (a: Item, b: Item) => boolean = () => false,
): (
  parts: readonly (readonly Item[])[],
  whole: readonly Item[],
) => readonly Duplicate<Item>[] {
  const knownKeyOf = rememberEach(keyOf);
  const duplicatesIn = rememberEach((items: readonly Item[]) =>
    findDuplicates(items, knownKeyOf),
  );
  return (parts, whole) => {
    const blamed = new Set<Item>();
    return [
      ...parts.flatMap(duplicatesIn),
      ...findDuplicates(whole, knownKeyOf).filter(
        ({ first, again }) => !isSame(first, again),
      ),
    ].filter(({ first, again }) => {
      if (blamed.has(first) || blamed.has(again)) return false;
      blamed.add(again);
      return true;
    });
  };
}
