import { isRecord, isSafeUint } from "@ridlkit/runtime/validation";

/** A text of a document; other plain values as one, and nothing as "". */
export function textOf(value: unknown): string {
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

/** Decimals of a document; null when it has none that can be. */
export function decimalsOf(value: unknown): number | null {
  return isSafeUint(value) && value <= 255 ? value : null;
}

/** An object of a document; null when it is none. */
export function recordOf(value: unknown): Record<string, unknown> | null {
  return isRecord(value) ? value : null;
}

/** The objects of a list of a document; null when it is no list. */
export function recordsOf(value: unknown): Record<string, unknown>[] | null {
  return Array.isArray(value) ? value.filter(isRecord) : null;
}
