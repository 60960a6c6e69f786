/** An object of JSON. Its keys can be any text. */
export type JsonMap = { readonly [key: string]: unknown };

/** Returns a member of an object or a function that a router is made of. */
export function readMember(holder: unknown, name: string): unknown {
  return isHolder(holder) ? Reflect.get(holder, name) : undefined;
}

/** Calls a method, or returns null if there is none. */
export function callMember(
  holder: unknown,
  name: string,
  ...args: readonly unknown[]
): unknown {
  const method = readMember(holder, name);
  return typeof method === "function"
    ? Reflect.apply(method, holder, args)
    : null;
}

/** Whether a value has members. */
export function isHolder(value: unknown): value is object {
  return (
    (typeof value === "object" && value !== null) || typeof value === "function"
  );
}

/** Returns a member of an object of JSON that is the object's own. */
export function ownMember(map: JsonMap, key: string): unknown {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}

/** Returns the items of a list, and none of anything else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
