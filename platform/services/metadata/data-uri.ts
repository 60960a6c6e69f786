/**
 * The texts that a `data:` URI may stand for, the one that its standard means
 * first (RFC 2397); none when it is no such URI. Contracts also write JSON into
 * them as it is, with signs that would have to be escaped.
 */
export function readDataUri(uri: string): readonly string[] {
  const [, parameters, data] = /^data:([^,]*),(.*)$/isu.exec(uri) ?? [];
  if (parameters === undefined || data === undefined) return [];
  const unescaped = unescapePercent(data);
  const texts = unescaped === null ? [data] : [unescaped, data];
  if (!/;\s*base64\s*$/iu.test(parameters)) return texts;
  return texts.map((text) => Buffer.from(text, "base64").toString());
}

/** Output: null when percent signs are in it that escape nothing. */
function unescapePercent(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
