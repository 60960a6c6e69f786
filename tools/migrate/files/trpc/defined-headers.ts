type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Leaves out headers that are undefined, and joins those that are lists. Input:
 * the headers, or a function that returns them.
 */
export function definedHeaders(
  source: Headers | (() => Headers | Promise<Headers>),
): () => Promise<Record<string, string>> {
  return async () => {
    const all = typeof source === "function" ? await source() : source;
    return Object.fromEntries(
      Object.entries(all).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, String(value)]],
      ),
    );
  };
}
