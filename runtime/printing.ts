/** What `JSON.stringify` does not write as it stands. */
const special = /["\\\u0000-\u001f\ud800-\udfff]/;

/** A string as JSON has it, without the quotes around it. */
export function escapeJson(text: string): string {
  return special.test(text) ? JSON.stringify(text).slice(1, -1) : text;
}

/** A list as JSON. Input: what prints one item. */
export function jsonList<Item>(
  list: readonly Item[],
  print: (item: Item) => string,
): string {
  let text = "";
  for (const item of list)
    text += text === "" ? print(item) : `,${print(item)}`;
  return `[${text}]`;
}
