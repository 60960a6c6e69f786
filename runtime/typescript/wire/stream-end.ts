/**
 * The parameter that asks for an end in `Accept`, and that announces one in
 * `Content-Type`. A stream with an end is complete only if the end has arrived.
 */
export const endParameter = ";end=1";

/** Whether a header asks for the end of a stream, or announces it. */
export function hasEnd(header: string | null): boolean {
  return /;\s*end=1\b/i.test(header ?? "");
}

/**
 * The member with the error in the last line of a stream without an end. No item
 * has it.
 */
export const errorMember = "webrpcError";

/**
 * The last line of a stream of lines. Items are objects, so no item can be such a
 * line. If the stream failed, the list contains the envelope of the error.
 */
export const endLine = "[]";

/**
 * Matches lines that are not items: blank lines, which keep the connection alive,
 * and the last line, whose list contains the captured text. White space is that of
 * JSON.
 */
export const wordLine: RegExp = /^[ \t\r]*(?:\[([^]*)\][ \t\r]*)?$/;
