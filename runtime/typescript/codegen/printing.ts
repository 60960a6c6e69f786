export { escapeJson } from "../wire/escape-json.js";

/** Converts a list to JSON text. Input: `print` converts one item. */
export function jsonList<Item>(
  list: readonly Item[],
  print: (item: Item) => string,
): string {
  let text = "";
  for (const item of list) {
    const printed = print(item);
    // Appending to a single string is fastest.
    text = text === "" ? printed : `${text},${printed}`;
  }
  return `[${text}]`;
}

/**
 * Converts a map to JSON text, without undefined values. Input: `print` converts
 * one value.
 */
export function jsonMap<Item>(
  map: { readonly [key: string]: Item | undefined },
  print: (item: Item) => string,
): string {
  let text = "";
  for (const [key, item] of Object.entries(map)) {
    if (item === undefined) continue;
    text += `${text === "" ? "" : ","}${JSON.stringify(key)}:${print(item)}`;
  }
  return `{${text}}`;
}

/**
 * Converts the members of an object that no field declares to JSON text, each
 * after a comma. Input: the names of the fields, and `print`, which converts one
 * value.
 */
export function jsonExtra(
  object: object,
  fields: ReadonlySet<string>,
  print: (item: never) => string,
): string {
  let text = "";
  for (const [key, item] of Object.entries(object)) {
    if (fields.has(key) || item === undefined) continue;
    text += `,${JSON.stringify(key)}:${print(item as never)}`;
  }
  return text;
}
