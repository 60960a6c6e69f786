import { maxJsonDepth } from "./json-reader.js";

/**
 * Prints a value like `JSON.stringify`, with every `bigint` as a number.
 *
 * Errors: TypeError if the value contains itself or is nested too deeply. Any
 * error from `toJSON`.
 */
export function writeJson(value: unknown): string {
  return write(value, "", 0) ?? "null";
}

/** Prints a value. Returns undefined for values that JSON omits. */
function write(
  value: unknown,
  key: string | number,
  depth: number,
): string | undefined {
  if (typeof value === "bigint" || Number.isFinite(value)) return `${value}`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (depth > maxJsonDepth) {
    throw new TypeError("the value contains itself, or is nested too deeply");
  }
  if (!("toJSON" in value) || typeof value.toJSON !== "function") {
    return writeMembers(value, depth);
  }
  const replaced: unknown = value.toJSON(String(key));
  // Call `toJSON` only once, even if its result has that method as well.
  return typeof replaced === "object" && replaced !== null
    ? writeMembers(replaced, depth)
    : write(replaced, key, depth);
}

function writeMembers(value: object, depth: number): string {
  return Array.isArray(value)
    ? writeList(value, depth)
    : writeObject(value, depth);
}

function writeList(list: readonly unknown[], depth: number): string {
  let text = "";
  for (let index = 0; index < list.length; index += 1) {
    if (index > 0) text += ",";
    text += write(list[index], index, depth + 1) ?? "null";
  }
  return `[${text}]`;
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
