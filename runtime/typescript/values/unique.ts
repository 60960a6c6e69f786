import { isBytes, isDate, isRecord } from "./predicates.js";

/**
 * Converts an item of a list to a value that is equal for equal items, e.g. the
 * text of a `bigint` to the `bigint`.
 */
export type ItemKey = (item: unknown) => unknown;

/**
 * Converts an object to a value that is equal for equal objects. Input: how to
 * convert some of its fields.
 */
export function keyOfFields(
  object: unknown,
  keys: Readonly<Record<string, ItemKey>>,
): unknown {
  return mapMembers(object, (item, name) =>
    Object.hasOwn(keys, name) ? keys[name]?.(item) : item,
  );
}

/**
 * Works like {@link keyOfFields} for an object with extra members. Input: the
 * names of all fields, and how to convert an extra member.
 */
export function keyOfMembers(
  object: unknown,
  fields: ReadonlySet<string>,
  keyOfExtra: ItemKey,
  keys: Readonly<Record<string, ItemKey>> = {},
): unknown {
  return mapMembers(keyOfFields(object, keys), (item, name) =>
    fields.has(name) ? item : keyOfExtra(item),
  );
}

/** Returns a function that converts lists and maps, given one for their items. */
export function keyOfEach(key: ItemKey): ItemKey {
  return (value) =>
    Array.isArray(value)
      ? value.map((item: unknown) => key(item))
      : mapMembers(value, key);
}

/** Copies an object. Null and undefined mean that a member is absent. */
function mapMembers(
  object: unknown,
  convert: (item: unknown, name: string) => unknown,
): unknown {
  if (!isRecord(object)) return object;
  // Do not use assignment, because a name can be `__proto__`.
  return Object.fromEntries(
    Object.entries(object).map(([name, item]) => [
      name,
      item == null ? item : convert(item, name),
    ]),
  );
}

/**
 * Whether the keys of a list's items are different JSON values. This takes
 * linear time.
 *
 * Errors: RangeError if an item is nested too deeply for the engine's stack.
 * `parseJson` prevents such nesting.
 */
export function isUnique(list: readonly unknown[], key: ItemKey): boolean {
  const seen = new Set<string>();
  for (const item of list) seen.add(keyOfValue(key(item)));
  return seen.size === list.length;
}

/**
 * Returns the same string for equal values, and different strings for others.
 * The values are JSON or contain a `bigint`, a `Date`, or bytes.
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
  if (isDate(value)) return `${value.getTime()}`;
  if (isBytes(value)) return `[${value.join()}]`;
  if (holders.includes(value)) return "itself";
  const all = [...holders, value];
  const keyOf = (item: unknown) => keyOfValue(item, all);
  if (Array.isArray(value)) return `[${value.map(keyOf).join(",")}]`;
  const entries = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .map(([key, item]) => `${JSON.stringify(key)}:${keyOf(item)}`);
  return `{${entries.sort().join(",")}}`;
}
