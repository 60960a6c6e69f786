/**
 * Returns a map of the members of an object that no field declares.
 *
 * Input: the names of the fields in JSON.
 */
export function extraMembers(
  object: object,
  fields: ReadonlySet<string>,
): Record<string, unknown> {
  // Do not use assignment, because a key can be `__proto__`.
  return Object.fromEntries(
    Object.entries(object).filter(([key]) => !fields.has(key)),
  );
}
