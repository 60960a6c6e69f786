/**
 * Maximum time to read a stream, and to wait for each item after the first, in
 * milliseconds.
 */
const streamTimeoutMs = { all: 1_000, next: 200 } as const;

/** Maximum number of items of a stream that are read. */
const maxItems = 100;

/**
 * Reads the first non-empty lines, or the data of the first events, until the
 * stream ends, is quiet for too long, or has sent enough. An error in an event is a
 * line with `webrpcError`, as in a stream of lines, and `status`.
 */
export async function readLines(
  response: Response,
  isEvents: boolean,
): Promise<readonly string[]> {
  const reader = response.body?.getReader();
  if (reader === undefined) return [];
  const decoder = new TextDecoder();
  const lines: string[] = [];
  let rest = "";
  let isCut = false;
  const cut = (): void => {
    isCut = true;
    void reader.cancel();
  };
  const timer = setTimeout(cut, streamTimeoutMs.all);
  try {
    while (lines.length < maxItems) {
      const pause =
        lines.length === 0 ? undefined : setTimeout(cut, streamTimeoutMs.next);
      const { done, value } = await reader.read().finally(() => {
        clearTimeout(pause);
      });
      rest += decoder.decode(value, { stream: !done });
      const parts = rest.split(isEvents ? eventEnd : "\n");
      // The last line of a complete stream needs no line break.
      rest = done && !isCut ? "" : (parts.pop() ?? "");
      const added = isEvents ? parts.map(dataOf) : parts;
      lines.push(...added.filter((line) => line.trim() !== ""));
      if (done) break;
    }
    const end = isEvents ? lines.indexOf("[DONE]") : -1;
    return lines.slice(0, end < 0 ? maxItems : Math.min(end, maxItems));
  } finally {
    clearTimeout(timer);
    await reader.cancel();
  }
}

/** Splits server-sent events, of which all that have arrived are small. */
const eventEnd = /\r\n\r\n|\n\n|\r\r/u;

/** Returns the data of an event, or "" if it has none. */
function dataOf(event: string): string {
  const lines = event.split(/\r\n?|\n/u);
  const valuesOf = (name: string): readonly string[] =>
    lines
      .filter((line) => line.startsWith(`${name}:`))
      .map((line) => line.slice(name.length + 1).trim());
  const data = valuesOf("data").join(" ");
  if (data === "" || valuesOf("event").at(-1) !== "error") return data;
  const status = valuesOf("status").at(-1) ?? "500";
  return `{"webrpcError":${data},"status":${status}}`;
}
