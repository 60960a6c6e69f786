import type { Types } from "./types.js";

/** Metadata that limits nothing. */
const free: ReadonlySet<string> = new Set(["known", "title", "example"]);

/**
 * Returns whether the values of a type are all strings, or some of them. Returns
 * null for types with other values.
 */
export function stringsOf(type: string, types: Types): "all" | "some" | null {
  let isLimited = false;
  let name = type;
  // A chain of aliases cannot be longer.
  for (let left = types.types.length; left >= 0; left--) {
    if (name === "string") return isLimited ? "some" : "all";
    if (name === "timestamp") return "some";
    const body = types.find(name)?.body;
    if (body?.kind === "enum") return "some";
    if (body?.kind !== "alias") return null;
    if (body.metadata.some(({ key }) => key === "nullable")) return null;
    isLimited ||= body.metadata.some(({ key }) => !free.has(key));
    name = body.type;
  }
  return null;
}

/** Removes the types of some strings if another type has all strings. */
export function joinStrings(
  names: readonly string[],
  types: Types,
): readonly string[] {
  const all = names.find((name) => stringsOf(name, types) === "all");
  return all === undefined
    ? names
    : names.filter((name) => name === all || stringsOf(name, types) === null);
}
