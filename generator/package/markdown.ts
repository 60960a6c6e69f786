import { invisible } from "../4-emit/emitter/invisible.js";
import type { Docs } from "../ir/contract.js";

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

/** Docs as paragraphs; "" when there are none. */
export function markdownDocs({ lines }: Docs): string {
  return lines
    .join("\n")
    .split(/\n{2,}/u)
    .map(markdownText)
    .filter((text) => text !== "")
    .join("\n\n");
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

/** Docs in a cell of a table. */
export function docsCell({ lines }: Docs): string {
  return markdownText(lines.join(" "));
}

/** Code in a cell of a table, where bars end cells even in code. */
export function codeCell(text: string): string {
  return markdownCode(text).replaceAll("|", "\\|");
}

/** Breaks and characters that cannot be seen become a space. */
function oneLine(text: string): string {
  return text.replace(invisible, " ").replace(/\s+/gu, " ").trim();
}
