/** The kind of a token. The kind of punctuation is its text. */
export type TokenKind =
  | "word"
  | "newline"
  | "end"
  /** A character that has no meaning in RIDL, e.g. `{` or `;`. */
  | "other"
  | Punctuation;

const characters = [
  ...["=", "(", ")", "[", "]", "<", ">", "+", "-"],
  ...[":", ",", "|", ".", "?", "@", '"', "/"],
] as const;

/**
 * A character with a meaning in RIDL, or `=>`, the only punctuation of two
 * characters.
 */
export type Punctuation = "=>" | (typeof characters)[number];

/** One token. White space and comments are not tokens. */
export interface Token {
  readonly kind: TokenKind;
  readonly start: number;
  readonly end: number;
}

const punctuation: ReadonlyMap<number, Punctuation> = new Map(
  characters.map((text) => [text.charCodeAt(0), text]),
);

/** Returns the kind of a character that is not part of a word or space. */
export function kindOfCharacter(code: number): Punctuation | "other" {
  return punctuation.get(code) ?? "other";
}

/** Whether a character code can begin a word: a letter, a digit or `_`. */
export function isWordStart(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95
  );
}

// A word can also contain `.`, `/`, `-`, `|`, `#` and most non-ASCII
// characters.
const wordEnds: ReadonlySet<number> = new Set(
  Array.from('\0 \t\r\n[](){}<>=:¿?¡!,"', (end) => end.charCodeAt(0)),
);

/** Returns the end of the word that begins at `start`, at most `limit`. */
export function endOfWord(text: string, start: number, limit: number): number {
  let end = start + 1;
  while (end < limit) {
    const code = text.charCodeAt(end);
    // Fast path: most characters are letters.
    if (!isWordStart(code) && wordEnds.has(code)) break;
    end += 1;
  }
  return end;
}
