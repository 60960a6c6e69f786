/**
 * Whether a list contains no two equal JSON values. This takes linear time.
 *
 * Errors: RangeError if an item is nested too deeply for the engine's stack.
 * `parseJson` prevents such nesting.
 */
export function isUnique(list: readonly unknown[]): boolean {
  const seen = new Set<string>();
  for (const item of list) seen.add(keyOfValue(item));
  return seen.size === list.length;
}

/**
 * Returns the same string for equal JSON values, and different strings for
 * others.
 *
 * Input: `holders` are the values that contain this one. A handler's result may
 * contain itself in a property that the contract does not declare.
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
