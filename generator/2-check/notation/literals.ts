/** A part of a metadata value such as `200|'a|b'`. */
export interface LiteralText {
  /** The text without single quotes. */
  readonly text: string;
  /** Whether the text is in single quotes. */
  readonly isQuoted: boolean;
  /** The location in the metadata value, with quotes. */
  readonly start: number;
  readonly end: number;
  /** The separator that follows, or "" after the last literal. */
  readonly separator: string;
}

/**
 * Splits text such as `a | 'b|c'` at separators. White space around a literal
 * is ignored. Text in single quotes can contain separators; two quotes in it
 * are one. Returns null if a literal is missing, or if text directly follows a
 * quote.
 */
export function parseLiterals(
  text: string,
  separators: string,
): readonly LiteralText[] | null {
  const pattern = new RegExp(
    `\\s*(?:'([^']*(?:''[^']*)*)'|([^\\s'${separators}](?:[^${separators}]*[^\\s${separators}])?))\\s*([${separators}]|$)`,
    "uy",
  );
  const literals: LiteralText[] = [];
  for (;;) {
    const from = pattern.lastIndex;
    const match = pattern.exec(text);
    if (match === null) return null;
    const [all, quoted, plain = "", separator = ""] = match;
    const start = from + all.length - all.trimStart().length;
    const end =
      start + all.slice(0, all.length - separator.length).trim().length;
    literals.push({
      text: quoted?.replaceAll("''", "'") ?? plain,
      isQuoted: quoted !== undefined,
      start,
      end,
      separator,
    });
    if (separator === "") return literals;
  }
}
