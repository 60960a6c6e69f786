/**
 * Matches one parameter, which is quoted with `\` escapes, quoted without
 * escapes, or unquoted.
 */
const parameter =
  /;\s*([^\s;=]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"(?=\s*(?:;|$))|"([^"]*)"|([^\s;"]+))/gsu;

/**
 * Returns a parameter of a `Content-Disposition` as sent, or null if it is
 * absent.
 *
 * RFC 6266 and Go write `\"` for a quote. Browsers do not escape backslashes.
 * This also applies at the end of a file name, where the next quote ends the
 * value.
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
