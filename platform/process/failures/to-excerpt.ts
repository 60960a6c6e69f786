/**
 * Returns the beginning of what another program said, as one line of text that
 * PostgreSQL can store.
 *
 * Input: the maximum length, in characters.
 */
export function toExcerpt(text: string, maxLength: number): string {
  const line = text.replace(/[\p{Cc}\p{Cs}\s]+/gu, " ").trim();
  // A character has at most two code units.
  return [...line.slice(0, 2 * maxLength)].slice(0, maxLength).join("");
}
