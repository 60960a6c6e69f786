/** The maximum length of a stored reason, in characters. */
const maxReasonLength = 1000;

/**
 * Returns the beginning of what another program said, as one line of text that
 * PostgreSQL can store, also in JSON. All texts from outside pass this function
 * before they are stored, except messages of calls, in which NUL is rejected.
 *
 * Input: the maximum length, in characters. Of long texts, only the beginning is
 * looked at.
 */
export function toExcerpt(text: string, maxLength = maxReasonLength): string {
  const start = text.slice(0, 8 * maxLength);
  const line = start.replace(/[\p{Cc}\p{Cs}\s]+/gu, " ").trimStart();
  // A character has at most two code units.
  const characters = [...line.slice(0, 2 * maxLength)];
  return characters.slice(0, maxLength).join("").trimEnd();
}
