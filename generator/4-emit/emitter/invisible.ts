/**
 * Characters that cannot be seen, end a line, move the cursor or turn the
 * reading direction: with them a text reads differently from what it does.
 * Every emitter escapes them by this expression. Variation selector 16 stays,
 * because it is part of many emoji.
 */
export const invisible =
  /(?!\ufe0f)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}]/gu;

/** Returns `\u2028` and the like for each UTF-16 unit of a text. */
export function escapeUnits(text: string): string {
  return text
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}

/** Escapes invisible characters in JSON text; its own line breaks stay. */
export function escapeInJson(json: string): string {
  return json
    .split("\n")
    .map((line) => line.replace(invisible, escapeUnits))
    .join("\n");
}

/** Replaces halves of characters, which UTF-8 cannot hold. */
export function toWellFormed(text: string): string {
  return text.replace(/\p{Cs}/gu, "\ufffd");
}
