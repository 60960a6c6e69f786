import { maxJsonDepth } from "./json-reader.js";

/**
 * Writes what `JSON.stringify` would, and every `bigint` as a number.
 *
 * Errors: TypeError when the value contains itself.
 */
export function writeJson(value: unknown): string {
  return write(value, "", 0) ?? "null";
}

/** undefined for what JSON leaves out. */
function write(value: unknown, key: string, depth: number): string | undefined {
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (depth > maxJsonDepth) {
    throw new TypeError("the value contains itself, or is nested too deeply");
  }
  if ("toJSON" in value && typeof value.toJSON === "function") {
    const replaced: unknown = value.toJSON(key);
    return writeReplaced(replaced, depth);
  }
  return Array.isArray(value)
    ? writeList(value, depth)
    : writeObject(value, depth);
}

/** `toJSON` is asked once only, even when its answer has one too. */
function writeReplaced(value: unknown, depth: number): string | undefined {
  if (typeof value !== "object" || value === null)
    return write(value, "", depth);
  return Array.isArray(value)
    ? writeList(value, depth)
    : writeObject(value, depth);
}

function writeList(list: readonly unknown[], depth: number): string {
  // Not `map`, which skips holes.
  const items = Array.from(
    list,
    (item, index) => write(item, String(index), depth + 1) ?? "null",
  );
  return `[${items.join(",")}]`;
}

function writeObject(object: object, depth: number): string {
  let text = "";
  for (const [key, value] of Object.entries(object)) {
    const written = write(value, key, depth + 1);
    if (written === undefined) continue;
    text += `${text === "" ? "" : ","}${JSON.stringify(key)}:${written}`;
  }
  return `{${text}}`;
}
