import type { Docs } from "../../ir/contract.js";
import { invisible } from "../emitter/invisible.js";
import { codeCell, markdownCode, oneLine } from "./markdown-text.js";

/**
 * Prints docs in Markdown. Emphasis, code, lists and web links are kept. Text
 * that could affect the rest of the page is escaped.
 */
export function markdownDocs({ lines }: Docs): string {
  const text = lines.map(trimInvisible).join("\n");
  let end = 0;
  const parts: string[] = [];
  for (const fence of text.matchAll(fences)) {
    parts.push(escapeProse(text.slice(end, fence.index)), fence[0]);
    end = fence.index + fence[0].length;
  }
  parts.push(escapeProse(text.slice(end)));
  return parts.filter((part) => part !== "").join("\n\n");
}

/** Prints docs on one line, for a cell of a table. */
export function docsCell({ lines }: Docs): string {
  return escapeLine(oneLine(lines.join(" ")), codeCell).replace(
    pipes,
    (found) => (found === "|" ? "\\|" : found),
  );
}

function trimInvisible(line: string): string {
  return line.replace(invisible, " ").trim();
}

/** Code blocks that are closed. */
const fences = /^```\w*\n(?:(?!```).*\n)*```$/gmu;

function escapeProse(text: string): string {
  return text
    .split(/\n{2,}/u)
    .map((paragraph) =>
      paragraph
        .split("\n")
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
  /\\[!-/:-@[-`{-~]|(`+)(?!`)(.*?[^`])\1(?!`)|`+|[<>]|!(?=\[)|\](?=:)|\](?=\((?!https?:\/\/))/gu;

/** Matches escapes and code, to find the bars that are not escaped. */
const pipes = /\\.|<code>.*?<\/code>|\|/gu;

function escapeLine(line: string, printCode: (code: string) => string): string {
  return line.replace(marks, (mark, _ticks?: string, code?: string) => {
    if (code !== undefined) return printCode(code);
    if (mark.startsWith("`")) return mark.replaceAll("`", "\\`");
    return mark.startsWith("\\") ? mark : `\\${mark}`;
  });
}
