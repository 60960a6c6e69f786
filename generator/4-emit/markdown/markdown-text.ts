import { invisible } from "../emitter/invisible.js";

/** Returns text as a code span, in which nothing is Markdown or HTML. */
export function markdownCode(text: string): string {
  const line = oneLine(text);
  const runs = line.match(/`+/gu) ?? [];
  const longest = Math.max(0, ...runs.map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  const needsSpace = line === "" || /^[ `]|[ `]$/u.test(line);
  return needsSpace ? `${fence} ${line} ${fence}` : fence + line + fence;
}

/** Escapes every character of text that has a meaning in Markdown or HTML. */
export function markdownText(text: string): string {
  return oneLine(text).replace(/[\\`*_[\]<>&|~$#]/gu, "\\$&");
}

/** Returns text that is safe inside `<!-- … -->`. */
export function markdownComment(text: string): string {
  return oneLine(text)
    .replaceAll("<", "")
    .replaceAll(">", "")
    .replace(/-{2,}/gu, "-");
}

/** Returns TypeScript as a fenced block. */
export function typeScriptBlock(code: string): string {
  return `\`\`\`ts\n${code}\n\`\`\``;
}

/** Prints a table. Input: a row of titles, and the other rows, in Markdown. */
export function markdownTable(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const rule = `|${"---|".repeat(titles.length)}`;
  return [row(titles), rule, ...rows.map(row)].join("\n");
}

/**
 * Prints code in a cell of a table. Bars end cells even in code, and parsers
 * disagree about backslashes before them, so code with bars is written as HTML.
 */
export function codeCell(text: string): string {
  if (!text.includes("|")) return markdownCode(text);
  const escaped = oneLine(text).replace(
    /[!$&*<>[\\\]_`|~]/gu,
    (character) => `&#${character.codePointAt(0)};`,
  );
  return `<code>${escaped}</code>`;
}

/** Replaces line breaks and invisible characters with spaces. */
export function oneLine(text: string): string {
  return text.replace(invisible, " ").replace(/\s+/gu, " ").trim();
}
