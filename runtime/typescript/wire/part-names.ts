/**
 * Escapes a name in a form with files as browsers do.
 */
export function escapePartName(name: string): string {
  return name.replace(/["\r\n]/gu, (mark) => encodeURIComponent(mark));
}

/**
 * Returns the text of a form whose pairs become parts.
 *
 * Errors: TypeError if a name contains what senders and receivers escape in
 * different ways.
 */
export function checkPartNames<Text extends string | null>(text: Text): Text {
  for (const name of new URLSearchParams(text ?? "").keys()) {
    if (!/\\|%(?:22|0[AD])/u.test(name)) continue;
    throw new TypeError(`a form with files cannot express the name ${name}`);
  }
  return text;
}
