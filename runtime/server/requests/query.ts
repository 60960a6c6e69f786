/**
 * Returns the pairs of a request target's query. A name or a value is null if
 * its bytes are not UTF-8.
 */
export function readQuery(
  target: string,
): readonly (readonly [name: string | null, value: string | null])[] {
  const [, query = ""] = /\?([^#]*)/u.exec(target) ?? [];
  return query
    .split("&")
    .filter((pair) => pair !== "")
    .map((pair) => {
      const at = pair.indexOf("=");
      const name = at === -1 ? pair : pair.slice(0, at);
      return [decode(name), at === -1 ? "" : decode(pair.slice(at + 1))];
    });
}

/**
 * Decodes a part of a query as `URLSearchParams` does, but returns null for bytes
 * that are not UTF-8.
 */
function decode(text: string): string | null {
  try {
    return decodeURIComponent(
      text.replaceAll("+", " ").replace(/%(?![\da-f]{2})/giu, "%25"),
    );
  } catch {
    return null;
  }
}
