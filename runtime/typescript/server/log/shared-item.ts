/** The text of an item, and what has printed it. */
interface Printed {
  by: object | null;
  text: string;
}

const key: unique symbol = /* @__PURE__ */ Symbol("printed");

/**
 * Marks an item that many streams send and nobody changes, so that it is printed
 * once. Returns the item. The mark is not enumerable.
 */
export function share<Item>(item: Item): Item {
  if (typeof item !== "object" || item === null) return item;
  const printed: Printed = { by: null, text: "" };
  // This does nothing if the item is frozen.
  Reflect.defineProperty(item, key, { value: printed });
  return item;
}

/** Returns what is known about the text of an item, or null if it is not shared. */
export function printedOf(item: unknown): Printed | null {
  return isShared(item) ? item[key] : null;
}

function isShared(item: unknown): item is { readonly [key]: Printed } {
  return typeof item === "object" && item !== null && Object.hasOwn(item, key);
}
