/**
 * One parameter: in quotes with `\` before what it would mean, in quotes as it is,
 * or without quotes.
 */
const parameter =
  /;\s*([^\s;=]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"(?=\s*(?:;|$))|"([^"]*)"|([^\s;"]+))/gsu;

/**
 * The parameter of a `Content-Disposition` as it is sent; null when there is none.
 *
 * RFC 6266 and Go write `\"` for a quote. Browsers write a backslash as it is, even
 * at the end of a file name: there the quote behind it ends the value.
 */
export function dispositionParameter(
  disposition: string,
  name: string,
): string | null {
  // Parse parameters in order, because a quoted value can look like one.
  for (const [, key = "", escaped, quoted, plain] of disposition.matchAll(
    parameter,
  )) {
    if (key.toLowerCase() !== name) continue;
    return escaped?.replace(/\\(["\\])/gu, "$1") ?? quoted ?? plain ?? null;
  }
  return null;
}
