import { isJson, isRecord, isSafeUint } from "@ridlkit/runtime/validation";

/**
 * Returns a string from a document. Converts numbers and booleans to strings,
 * and all other values to "".
 */
export function textOf(value: unknown): string {
  if (!isJson(value)) return "";
  switch (typeof value) {
    case "string":
      return value;
    case "number":
    case "bigint":
    case "boolean":
      return String(value);
    default:
      return "";
  }
}

/** Returns a document's decimals, or null if they are missing or invalid. */
export function decimalsOf(value: unknown): number | null {
  return isSafeUint(value) && value <= 255 ? value : null;
}

/**
 * Returns an object in a document. Returns null if the value is not an object, or
 * has a number that a response cannot contain, such as `1e400`.
 */
export function recordOf(value: unknown): Record<string, unknown> | null {
  return isRecord(value) && isJson(value) ? value : null;
}

/**
 * Returns the objects of a list in a document, or null if the value is not a
 * list. Leaves out those for which `recordOf` returns null.
 */
export function recordsOf(value: unknown): Record<string, unknown>[] | null {
  if (!Array.isArray(value)) return null;
  return value.map(recordOf).filter((record) => record !== null);
}
