import { escapeInJson, escapeUnits } from "../emitter/invisible.js";

/** Longest line that is not broken up, so that differences can be read. */
const maxLine = 120;

/**
 * A value as JSON that is inert inside of HTML, in lines that are fit to be
 * compared. What is empty is left out.
 *
 * Output: ASCII but for letters; no `<`, no invisible characters.
 */
export function printDataJson(value: unknown): string {
  const json = printValue(value).replace(/[<>&\u00a0]/gu, escapeUnits);
  return escapeInJson(json);
}

function printValue(value: unknown): string {
  const flat = JSON.stringify(value, (_, each: unknown) => withoutEmpty(each));
  if (flat.length <= maxLine || typeof value !== "object") return flat;
  if (Array.isArray(value)) return `[\n${value.map(printValue).join(",\n")}\n]`;
  const entries = Object.entries(withoutEmpty(value) ?? {}).map(
    ([key, each]) => `${JSON.stringify(key)}:${printValue(each)}`,
  );
  return `{\n${entries.join(",\n")}\n}`;
}

function withoutEmpty(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).filter(([, each]) => !isEmpty(each)),
  );
}

function isEmpty(value: unknown): boolean {
  if (value === undefined) return true;
  if (typeof value !== "object" || value === null) return false;
  return !Array.isArray(value) && Object.keys(value).length === 0;
}
