/** Lines, and whether they ended with a line feed. */
export type Lines = readonly [texts: readonly string[], areWhole: boolean];

/**
 * Yields the lines of each chunk of a UTF-8 body, regardless of how it is split into
 * chunks. Skips most blank lines. Text after the last line feed is an incomplete line.
 *
 * Input: `read` returns the next chunk, like the reader of a `ReadableStream`;
 * `fail` creates the error for a line that is longer than `maxLength` UTF-16 code
 * units. Errors: this error, and any error from `read`.
 */
export async function* readLines(
  read: () => Promise<{ done: boolean; value?: Uint8Array | undefined }>,
  fail: (cause: string) => Error,
  maxLength: number = 2 ** 25,
): AsyncGenerator<Lines, void, undefined> {
  const decoder = new TextDecoder();
  // Collect parts, because searching a growing string for each chunk would take
  // quadratic time.
  let parts: string[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await read();
    const pieces = decoder
      .decode(value, { stream: !done })
      .split(/\n(?:[ \t\r\n]*\n)?/);
    const rest = pieces.pop() ?? "";
    const texts: string[] = [];
    for (const piece of pieces) {
      length += piece.length;
      if (length > maxLength) break;
      texts.push(parts.join("") + piece);
      parts = [];
      length = 0;
    }
    if (texts.length) yield [texts, true];
    length += rest.length;
    if (length > maxLength) throw fail("the line is too long");
    if (rest) parts.push(rest);
    if (done) return yield [[parts.join("")], false];
  }
}
