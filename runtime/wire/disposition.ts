/**
 * Matches one parameter, which is quoted with `\` escapes, quoted without
 * escapes, or unquoted.
 */
const parameter =
  /;\s*([^\s;=]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"(?=\s*(?:;|$))|"([^"]*)"|([^\s;"]+))/gsu;

/**
 * Returns a `Content-Disposition` parameter without quotes and `\` escapes, or
 * null if it is absent.
 *
 * In RFC 6266 and in Go, `\"` stands for a quote. Browsers do not escape
 * backslashes. A backslash can even end a file name, in which case the next
 * quote ends the value.
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

/**
 * Returns the file name in a `Content-Disposition`, or "" if there is none. The
 * extended form of the parameter takes precedence (RFC 6266).
 */
export function fileNameIn(disposition: string): string {
  const extended = dispositionParameter(disposition, "filename*");
  const [, encoded] = /^utf-8'[^']*'(.+)$/iu.exec(extended ?? "") ?? [];
  try {
    if (encoded !== undefined) return decodeURIComponent(encoded);
  } catch {
    // Fall back to the plain form of the parameter if there is one.
  }
  return dispositionParameter(disposition, "filename") ?? "";
}
