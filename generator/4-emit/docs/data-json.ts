import { escapeInJson, escapeUnits } from "../emitter/invisible.js";

/** Longer lines are split so that diffs stay readable. */
const maxLine = 120;

/**
 * Prints a value as JSON that is safe inside HTML, split into lines so that
 * diffs stay readable. Empty members are omitted.
 *
 * The result contains no `<` and no invisible characters.
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
