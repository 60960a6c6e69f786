/** Returns all ways to choose an option for each item. */
export function combine<Item, Option>(
  [item, ...rest]: readonly Item[],
  optionsOf: (item: Item) => readonly Option[],
): readonly (readonly Option[])[] {
  if (item === undefined) return [[]];
  const others = combine(rest, optionsOf);
  return optionsOf(item).flatMap((option) =>
    others.map((other) => [option, ...other]),
  );
}

/** Returns the values with different keys. */
export function distinct<Value>(
  values: readonly Value[],
  keyOf: (value: Value) => unknown,
): readonly Value[] {
  return [...new Map(values.map((each) => [keyOf(each), each])).values()];
}

/** Returns the values that exist, by hash. */
export function byHash<Item extends { readonly hash: string }>(
  found: readonly (Item | null)[],
): ReadonlyMap<string, Item> {
  return new Map(found.flatMap((each) => (each ? [[each.hash, each]] : [])));
}
