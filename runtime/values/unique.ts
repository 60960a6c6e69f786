/**
 * Whether no two items are equal JSON values. Linear in the size of the list.
 *
 * Errors: RangeError when an item is nested too deeply for the engine's stack;
 * `parseJson` lets none of those through.
 */
export function isUnique(list: readonly unknown[]): boolean {
  const seen = new Set<string>();
  for (const item of list) seen.add(keyOfValue(item));
  return seen.size === list.length;
}

/**
 * The same text for equal JSON values, another for unequal ones.
 *
 * Input: what holds the value. What a server's handler gives may contain itself,
 * by a property that the contract does not know.
 */
export function keyOfValue(
  value: unknown,
  holders: readonly unknown[] = [],
): string {
  // A `bigint` never equals a `number` that was read without rounding.
  if (typeof value === "bigint") return `${value}`;
  if (typeof value !== "object" || value === null) {
    return JSON.stringify(value) ?? "undefined";
  }
  if (holders.includes(value)) return "itself";
  const all = [...holders, value];
  const keyOf = (item: unknown) => keyOfValue(item, all);
  if (Array.isArray(value)) return `[${value.map(keyOf).join(",")}]`;
  const entries = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .map(([key, item]) => `${JSON.stringify(key)}:${keyOf(item)}`);
  return `{${entries.sort().join(",")}}`;
}
