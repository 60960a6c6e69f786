/** A character that neither JSON nor a pattern escapes. */
const literal = "[\\w !#%&',/:;<=>@`~]";
/** An escaped character that JSON leaves alone, or a class such as `\d`. */
const escaped = String.raw`\\[\^$.*+?()[\]{}|/dw-]`;
const range = "(?:[a-z]-[a-z]|[A-Z]-[A-Z]|[0-9]-[0-9])";
const members = `(?:${range}|${literal}|${escaped}|[.*+?()$])*`;
const charClass = String.raw`\[-?${members}-?\]`;
const quantifier = String.raw`(?:[*+?]\??|\{\d+(?:,\d*)?\}\??)?`;
const piece = `(?:${literal}|-|${escaped}|${charClass})${quantifier}`;
const grouped = String.raw`\((?:\?:)?(?:${piece}|\|)*\)${quantifier}`;

/** Recognizes simple patterns whose matches JSON never has to escape. */
const plainPattern = new RegExp(
  String.raw`^\^(?:${piece}|${grouped})*\$$`,
  "u",
);

/** Whether strings that match a pattern certainly need no escapes in JSON. */
export function isPlainPattern(pattern: string): boolean {
  return plainPattern.test(pattern);
}

/** Whether a string needs no escapes in JSON. */
export function isPlainText(text: string): boolean {
  return JSON.stringify(text) === `"${text}"`;
}
