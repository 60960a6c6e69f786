import { invisible } from "../emitter/invisible.js";

/** Text as an inline code span; nothing inside it is Markdown or HTML. */
export function markdownCode(text: string): string {
  const line = oneLine(text);
  const runs = line.match(/`+/gu) ?? [];
  const longest = Math.max(0, ...runs.map((run) => run.length));
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

/** TypeScript as a fenced block. */
export function typeScriptBlock(code: string): string {
  return `\`\`\`ts\n${code}\n\`\`\``;
}

/** A table. Input: a row of titles, and the other rows, in Markdown. */
export function markdownTable(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const rule = `|${"---|".repeat(titles.length)}`;
  return [row(titles), rule, ...rows.map(row)].join("\n");
}

/**
 * Code in a cell of a table. Bars end cells even in code, and backslashes before
 * them are read in different ways, so that code with bars is written as HTML.
 */
export function codeCell(text: string): string {
  if (!text.includes("|")) return markdownCode(text);
  const escaped = oneLine(text).replace(
    /[!$&*<>[\\\]_`|~]/gu,
    (character) => `&#${character.codePointAt(0)};`,
  );
  return `<code>${escaped}</code>`;
}

/** Breaks and characters that cannot be seen become a space. */
export function oneLine(text: string): string {
  return text.replace(invisible, " ").replace(/\s+/gu, " ").trim();
}
