/**
 * Returns the fields of a message that are headers, by the names of the headers.
 * Absent fields and empty lists are left out. The items of a list are separated
 * by commas.
 *
 * Errors: TypeError if a value is not printable ASCII, or begins or ends with a
 * space, or if an item of a list contains a comma.
 */
export function printHeaders(
  fields: Readonly<Record<string, string>>,
  message: unknown,
): Record<string, string> {
  const given = new Map<string, unknown>(Object.entries(Object(message)));
  const pairs = Object.entries(fields).flatMap(([name, field]) => {
    const value = given.get(field) ?? [];
    const items = [value].flat().map(String);
    for (const item of items) {
      if (
        !/^(?:[!-~](?:[ -~]*[!-~])?)?$/.test(item) ||
        (Array.isArray(value) && /^$|,/.test(item))
      ) {
        throw new TypeError(
          `header ${name} has a value that is not plain text, or an item with a comma`,
        );
      }
    }
    return items.length > 0 ? [[name, items.join()]] : [];
  });
  return Object.fromEntries(pairs);
}
