/** A part of a metadata value such as `200|'a|b'`. */
export interface LiteralText {
  /** The text without single quotes. */
  readonly text: string;
  /** Whether the text is in single quotes. */
  readonly isQuoted: boolean;
  /** Whether there is text, and none directly follows a quote. */
  readonly isValid: boolean;
  /** The location in the metadata value, with quotes. */
  readonly start: number;
  readonly end: number;
  /** The separator that follows, or "" after the last literal. */
  readonly separator: string;
}

/**
 * Splits text such as `a | 'b|c'` at separators. White space around a literal
 * is ignored. Text in single quotes can contain separators; two quotes in it
 * are one. A quote within a word is part of it.
 */
export function splitLiterals(
  text: string,
  separators: string,
): readonly LiteralText[] {
  const pattern = new RegExp(
    `(?:\\s*(?:'([^']*(?:''[^']*)*)'|([^\\s'${separators}](?:[^${separators}]*[^\\s${separators}])?))\\s*|[^${separators}]*)([${separators}]|$)`,
    "uy",
  );
  const literals: LiteralText[] = [];
  for (;;) {
    const from = pattern.lastIndex;
    const [all = "", quoted, plain, separator = ""] = pattern.exec(text) ?? [];
    const part = all.slice(0, all.length - separator.length);
    const start = from + part.length - part.trimStart().length;
    literals.push({
      text: quoted?.replaceAll("''", "'") ?? plain ?? part.trim(),
      isQuoted: quoted !== undefined,
      isValid: quoted !== undefined || plain !== undefined,
      start,
      end: start + part.trim().length,
      separator,
    });
    if (separator === "") return literals;
  }
}

/** Splits text as {@link splitLiterals} does, or returns null if a part is invalid. */
export function parseLiterals(
  text: string,
  separators: string,
): readonly LiteralText[] | null {
  const literals = splitLiterals(text, separators);
  return literals.every(({ isValid }) => isValid) ? literals : null;
}
