/** Text as an inline code span; nothing inside it is Markdown or HTML. */
export function markdownCode(text: string): string {
  const line = oneLine(text);
  const longest = Math.max(0, ...(line.match(/`+/gu) ?? []).map(lengthOf));
  const fence = "`".repeat(longest + 1);
  const needsSpace = line === "" || /^[ `]|[ `]$/u.test(line);
  return needsSpace ? `${fence} ${line} ${fence}` : fence + line + fence;
}

/** Text as plain words; every character that Markdown or HTML reads is escaped. */
export function markdownText(text: string): string {
  return oneLine(text).replace(/[\\`*_[\]<>&|~$#]/gu, "\\$&");
}

/** Text inside `<!-- … -->`, which it cannot end. */
export function markdownComment(text: string): string {
  return oneLine(text)
    .replaceAll("<", "")
    .replaceAll(">", "")
    .replace(/-{2,}/gu, "-");
}

function oneLine(text: string): string {
  return text.replace(/[\s\u0085\u2028\u2029]+/gu, " ").trim();
}

function lengthOf(text: string): number {
  return text.length;
}
