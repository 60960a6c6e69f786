/** The maximum length of a stored reason, in characters. */
const maxReasonLength = 1000;

/**
 * Returns the beginning of what another program said, as one line of text that
 * PostgreSQL can store, also in JSON that it parses. Characters that change the
 * text direction are left out, because they could hide what a text says. Messages
 * of calls do not pass this function: NUL is rejected in them, and PostgreSQL does
 * not parse the JSON that they are stored in.
 *
 * Input: the maximum length, in characters. Of long texts, only the beginning is
 * looked at.
 */
export function toExcerpt(text: string, maxLength = maxReasonLength): string {
  const start = text.slice(0, 8 * maxLength);
  const line = start
    .replace(/[\p{Cc}\p{Cs}\p{Bidi_Control}\s]+/gu, " ")
    .trimStart();
  // A character has at most two code units.
  const characters = [...line.slice(0, 2 * maxLength)];
  return characters.slice(0, maxLength).join("").trimEnd();
}
