/** Returns text with CRLF line breaks if the original contains any. */
export function withLineBreaksOf(original: string, text: string): string {
  return original.includes("\r\n") ? text.replaceAll("\n", "\r\n") : text;
}
