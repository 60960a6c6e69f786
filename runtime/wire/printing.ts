/** Matches all characters that `JSON.stringify` may escape. */
const special = /["\\\u0000-\u001f\ud800-\udfff]/;

/** Escapes text for JSON, without the surrounding quotes. */
export function escapeJson(text: string): string {
  return special.test(text) ? JSON.stringify(text).slice(1, -1) : text;
}

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
