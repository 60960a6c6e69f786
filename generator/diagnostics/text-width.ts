const tabWidth = 4;

/** Fast path: Western letters, which take one column each. */
const plain = /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff]*$/;
const zeroWidth = /^[\p{Mn}\p{Me}\u200c\u200d\ufe00-\ufe0f]$/u;
const doubleWidth =
  /^[\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana}\p{Emoji_Presentation}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]$/u;
/** Characters that would move the cursor, hide text or change its direction. */
const unprintable =
  /^[\p{Cc}\p{Cs}\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]$/u;

/**
 * Returns printable text. Tabs become spaces, and other control characters
 * become `�`.
 */
export function toPrintable(text: string): string {
  if (plain.test(text)) return text;
  let printable = "";
  for (const character of text) {
    if (character === "\t") printable += " ".repeat(tabWidth);
    else printable += unprintable.test(character) ? "\ufffd" : character;
  }
  return printable;
}

/** Returns the number of terminal columns that printable text takes. */
export function widthOf(text: string): number {
  if (plain.test(text)) return text.length;
  let width = 0;
  for (const character of toPrintable(text)) {
    if (doubleWidth.test(character)) width += 2;
    else if (!zeroWidth.test(character)) width += 1;
  }
  return width;
}
