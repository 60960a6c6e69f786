/**
 * Characters that are invisible, end a line, move the cursor or change the text
 * direction, so that text looks different. Every emitter escapes or replaces
 * them, except variation selector 16, which is part of many emoji.
 */
export const invisible =
  /(?!\ufe0f)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}]/gu;

/** Replaces invisible characters with spaces. */
export function withoutInvisible(text: string): string {
  return text.replace(invisible, " ");
}

/** Escapes each UTF-16 code unit of a string, e.g. as `\u2028`. */
export function escapeUnits(text: string): string {
  return text
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}

/** Escapes invisible characters in JSON text, except its line breaks. */
export function escapeInJson(json: string): string {
  return json
    .split("\n")
    .map((line) => line.replace(invisible, escapeUnits))
    .join("\n");
}

/** Replaces lone surrogates, which UTF-8 cannot represent. */
export function toWellFormed(text: string): string {
  return text.replace(/\p{Cs}/gu, "\ufffd");
}
