/** What a token is; punctuation is named by its own text. */
export type TokenKind =
  | "word"
  | "newline"
  | "end"
  /** A character without a meaning in RIDL, e.g. `{` or `;`. */
  | "other"
  | Punctuation;

/** Characters (and the one pair) with a meaning. */
export type Punctuation =
  | "=>"
  | "="
  | "("
  | ")"
  | "["
  | "]"
  | "<"
  | ">"
  | "+"
  | "-"
  | ":"
  | ","
  | "|"
  | "."
  | "?"
  | "@"
  | '"'
  | "/";

/** One token; white space and comments lie between tokens. */
export interface Token {
  readonly kind: TokenKind;
  readonly start: number;
  readonly end: number;
}

const punctuation: ReadonlyMap<string, Punctuation> = new Map(
  (
    [
      ...["=", "(", ")", "[", "]", "<", ">", "+", "-"],
      ...[":", ",", "|", ".", "?", "@", '"', "/"],
    ] as Punctuation[]
  ).map((text) => [text, text]),
);

/** The kind of a character that is neither white space nor part of a word. */
export function kindOfCharacter(character: string): Punctuation | "other" {
  return punctuation.get(character) ?? "other";
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

/** A pattern for one word, to be used with `lastIndex`; new on every call. */
export function createWordPattern(): RegExp {
  // A word runs on over `.`, `/`, `-`, `|`, `#` and everything non-ASCII.
  return /[A-Za-z0-9_][^\0 \t\r\n[\](){}<>=:¿?¡!,"]*/y;
}
