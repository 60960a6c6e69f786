/** A character that JSON writes as it stands, and that patterns do, too. */
const literal = "[\\w !#%&',/:;<=>@`~]";
/** Such a character behind a backslash, a digit, or a character of a word. */
const escaped = String.raw`\\[\^$.*+?()[\]{}|/dw-]`;
const range = "(?:[a-z]-[a-z]|[A-Z]-[A-Z]|[0-9]-[0-9])";
const members = `(?:${range}|${literal}|${escaped}|[.*+?()$])*`;
const charClass = String.raw`\[-?${members}-?\]`;
const quantifier = String.raw`(?:[*+?]\??|\{\d+(?:,\d*)?\}\??)?`;
const piece = `(?:${literal}|-|${escaped}|${charClass})${quantifier}`;
const grouped = String.raw`\((?:\?:)?(?:${piece}|\|)*\)${quantifier}`;

/**
 * Patterns whose every match is text that JSON writes as it stands: from start
 * to end nothing but plain characters, classes of them, and groups.
 */
const plainPattern = new RegExp(
  String.raw`^\^(?:${piece}|${grouped})*\$$`,
  "u",
);

/**
 * Whether all text that fits a pattern stands in JSON as it is, with quotes
 * around it. No for patterns that are not simple enough to tell.
 */
export function isPlainPattern(pattern: string): boolean {
  return plainPattern.test(pattern);
}

/** The same of one text. */
export function isPlainText(text: string): boolean {
  return JSON.stringify(text) === `"${text}"`;
}
