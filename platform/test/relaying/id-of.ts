const ids = new Map<string, number>();
const idsOfObjects = new WeakMap<object, number>();

/** Returns the same number for values with the same contents. */
export function idOf(value: object): number {
  const known = idsOfObjects.get(value);
  if (known !== undefined) return known;
  const text = JSON.stringify(value, (_, each: unknown) =>
    typeof each === "bigint"
      ? `${each}n`
      : each instanceof Map
        ? [...each]
        : each,
  );
  const id = ids.get(text) ?? ids.size;
  ids.set(text, id);
  idsOfObjects.set(value, id);
  return id;
}
