/** A line without its end, and whether it had one. */
export type Line = readonly [text: string, isWhole: boolean];

/**
 * The lines of a body in UTF-8, however it is cut into chunks; blank ones are
 * left out. What follows the last line feed is a line that is not whole.
 *
 * Input: gives a chunk at each call, as a reader of a `ReadableStream` does.
 * Errors: those of `read`.
 */
export async function* readLines(
  read: () => Promise<{ done: boolean; value?: Uint8Array | undefined }>,
): AsyncGenerator<Line, void, undefined> {
  const decoder = new TextDecoder();
  // Not one string: looking through it at every chunk would take its square.
  let parts: string[] = [];
  for (;;) {
    const { done, value } = await read();
    const [start = "", ...lines] = decoder
      .decode(value, { stream: !done })
      .split("\n");
    parts.push(start);
    for (const next of lines) {
      const line = parts.join("").trim();
      parts = [next];
      if (line !== "") yield [line, true];
    }
    if (!done) continue;
    const rest = parts.join("").trim();
    if (rest !== "") yield [rest, false];
    return;
  }
}
