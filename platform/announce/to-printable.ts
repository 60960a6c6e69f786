import { inspect } from "node:util";

/**
 * Characters that move the cursor, change the text direction or otherwise
 * control a terminal. Names of projects and texts of receivers may contain
 * them.
 */
const control =
  /(?!\r?\n)[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/**
 * Returns text that a terminal shows as it is. Control characters except line
 * breaks become escapes such as `\u001b`, so JSON keeps its meaning. All output
 * of the platform and its command line passes this function.
 */
export function toPrintable(text: unknown): string {
  const printed = typeof text === "string" ? text : inspect(text);
  return printed.replace(control, escapeCharacter);
}

/** Returns a cell of a table, which also has no line breaks. */
export function toCell(text: string): string {
  return toPrintable(text).replace(/[\r\n]/gu, escapeCharacter);
}

function escapeCharacter(character: string): string {
  const code = character.charCodeAt(0).toString(16);
  return `\\u${code.padStart(4, "0")}`;
}
