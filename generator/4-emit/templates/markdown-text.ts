import { withoutInvisible } from "../emitter/invisible.js";
import type { Docs } from "../../ir/contract.js";

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
  return withoutInvisible(text).replace(/\s+/gu, " ").trim();
}

/**
 * Prints docs in Markdown. Emphasis, code, lists and web links are kept. Text
 * that could affect the rest of the page is escaped.
 */
export function markdownDocs({ lines }: Pick<Docs, "lines">): string {
  const text = lines.map(replaceInvisible).join("\n");
  let end = 0;
  const parts: string[] = [];
  for (const fence of text.matchAll(fences)) {
    const [block, indent = ""] = fence;
    parts.push(escapeProse(text.slice(end, fence.index)));
    parts.push(block.replaceAll(`\n${indent}`, "\n").slice(indent.length));
    end = fence.index + fence[0].length;
  }
  parts.push(escapeProse(text.slice(end)));
  return parts.filter((part) => part !== "").join("\n\n");
}

/** Prints docs on one line, for a cell of a table. */
export function docsCell({ lines }: Pick<Docs, "lines">): string {
  return escapeLine(oneLine(lines.join(" ")), codeCell).replace(
    pipes,
    (found) => (found === "|" ? "\\|" : found),
  );
}

function replaceInvisible(line: string): string {
  return withoutInvisible(line).trimEnd();
}

/** Code blocks that are closed. Their lines keep their indentation. */
const fences = /^( *)```\w*\n(?:(?! *```).*\n)* *```$/gmu;

function escapeProse(text: string): string {
  return text
    .split(/\n{2,}/u)
    .map((paragraph) =>
      paragraph
        .split("\n")
        .map((line) => line.trim())
        .filter((line) => line !== "")
        .map((line) => escapeLine(line, markdownCode).replace(blocks, "$1\\$2"))
        .join("\n"),
    )
    .filter((paragraph) => paragraph !== "")
    .join("\n\n");
}

/** Marks that start a heading, turn a line above into one, or open a fence. */
const blocks = /^((?:[-+*]\s+|\d+[.)]\s+)*)(#{1,6}(?!\S)|=+$|-+$|~{3})/u;

/** Marks in a line. The first alternative wins. Pairs of backticks are code. */
const marks =
  /\\[!-/:-@[-`{-~]|(`+)(?!`)(.*?[^`])\1(?!`)|`+|[<>]|&(?=#?\w+;)|!(?=\[)|\](?=:)|\](?=\((?!https?:\/\/))/gu;

/** Matches escapes and code, to find the bars that are not escaped. */
const pipes = /\\.|<code>.*?<\/code>|\|/gu;

function escapeLine(line: string, printCode: (code: string) => string): string {
  return line.replace(marks, (mark, _ticks?: string, code?: string) => {
    if (code !== undefined) return printCode(code);
    if (mark.startsWith("`")) return mark.replaceAll("`", "\\`");
    return mark.startsWith("\\") ? mark : `\\${mark}`;
  });
}
