/**
 * Matches one parameter, which is quoted with `\` escapes, quoted without
 * escapes, unquoted, or invalid.
 */
const parameter =
  /;\s*(?:([^\s;=]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"(?=\s*(?:;|$))|"([^"]*)"|([^\s;"]+)))?/gsu;

/**
 * Maximum number of parameters to look at, including invalid ones. Senders write
 * three.
 */
const maxParameters = 16;

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
  let left = maxParameters;
  // Parse parameters in order, because a quoted value can look like one.
  for (const [, key = "", escaped, quoted, plain] of disposition.matchAll(
    parameter,
  )) {
    left -= 1;
    if (left < 0) return null;
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
  return (
    extendedFileName(disposition) ??
    dispositionParameter(disposition, "filename") ??
    ""
  );
}

/**
 * Returns the file name in the extended form of a `Content-Disposition`, such as
 * `filename*=UTF-8''%C3%A9.txt` (RFC 8187). Null if it is absent or invalid.
 */
export function extendedFileName(disposition: string): string | null {
  const extended = dispositionParameter(disposition, "filename*");
  const [, encoded] = /^utf-8'[^']*'(.+)$/iu.exec(extended ?? "") ?? [];
  try {
    return encoded === undefined ? null : decodeURIComponent(encoded);
  } catch {
    // The plain form may still be valid.
    return null;
  }
}
