import { orNull } from "../../process/or-null.js";

/**
 * Returns the possible contents of a `data:` URI, starting with the standard
 * interpretation (RFC 2397). Returns none for any other URI. Some contracts
 * embed JSON without the required escaping.
 */
export function readDataUri(uri: string): readonly string[] {
  const [, parameters, data] = /^data:([^,]*),(.*)$/isu.exec(uri) ?? [];
  if (parameters === undefined || data === undefined) return [];
  const unescaped = orNull(() => decodeURIComponent(data));
  const texts = unescaped === null ? [data] : [unescaped, data];
  if (!/;\s*base64\s*$/iu.test(parameters)) return texts;
  return texts.map((text) => Buffer.from(text, "base64").toString());
}
