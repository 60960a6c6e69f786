import type { Field } from "./contract.js";

/** Returns the field that collects extra members, if any. */
export function extraFieldOf(fields: readonly Field[]): Field | undefined {
  return fields.find(({ isExtra }) => isExtra);
}

/** Returns the fields that are members of the JSON of their object. */
export function membersAmong(fields: readonly Field[]): readonly Field[] {
  return fields.filter(({ isExtra }) => !isExtra);
}

/**
 * Returns the entries of a JSON object as in code, where the members that no
 * field declares are in a map.
 *
 * Input: `mapOf` creates the map.
 */
export function collectEntries<Value>(
  fields: readonly Field[],
  entries: readonly (readonly [string, Value])[],
  mapOf: (entries: readonly (readonly [string, Value])[]) => Value,
): readonly (readonly [string, Value])[] {
  const extra = extraFieldOf(fields);
  if (extra === undefined) return entries;
  const names = new Set(membersAmong(fields).map(({ jsonName }) => jsonName));
  const others = entries.filter(([name]) => !names.has(name));
  const own = entries.filter(([name]) => names.has(name));
  return extra.isOptional && others.length === 0
    ? own
    : [...own, [extra.jsonName, mapOf(others)]];
}
