/** A line, and whether it ended with a line feed. */
export type Line = readonly [text: string, isWhole: boolean];

/**
 * Yields the lines of a UTF-8 body, regardless of how it is split into chunks.
 * Text after the last line feed is an incomplete line.
 *
 * Input: `read` returns the next chunk, like the reader of a `ReadableStream`;
 * `maxLength` is in UTF-16 code units. Errors: any error from `read`;
 * RangeError if a line is longer than `maxLength`.
 */
export async function* readLines(
  read: () => Promise<{ done: boolean; value?: Uint8Array | undefined }>,
  maxLength: number,
): AsyncGenerator<Line, void, undefined> {
  const decoder = new TextDecoder();
  // Collect parts, because searching a growing string for each chunk would take
  // quadratic time.
  let parts: string[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await read();
    const [start = "", ...lines] = decoder
      .decode(value, { stream: !done })
      .split("\n");
    parts.push(start);
    length += start.length;
    for (const next of lines) {
      if (length > maxLength) break;
      yield [parts.join(""), true];
      parts = [next];
      length = next.length;
    }
    if (length > maxLength) throw new RangeError("the line is too long");
    if (!done) continue;
    yield [parts.join(""), false];
    return;
  }
}
