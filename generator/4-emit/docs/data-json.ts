/** Longest line that is not broken up, so that differences can be read. */
const maxLine = 120;

/**
 * A value as JSON that is inert inside of HTML, in lines that are fit to be
 * compared. What is empty is left out.
 *
 * Output: ASCII but for letters; no `<`, no invisible characters.
 */
export function printDataJson(value: unknown): string {
  return printValue(value).replace(careful, escapeUnit);
}

/** What could end the element, cannot be seen, or turns the reading direction. */
const careful =
  /[<>&\u007f-\u00a0\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]/gu;

function escapeUnit(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
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
