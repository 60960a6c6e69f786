import { oneLine } from "./markdown-text.js";

/**
 * Prints a doc comment of Go as gofmt would format it. Lists keep their items.
 * Other lines that have a meaning in Go, such as headings and constraints for
 * builds, become plain text.
 *
 * Input: the lines, and what comes before each of them.
 */
export function goDocs(lines: readonly string[], indent: string): string {
  const printed: string[] = [];
  let wasItem = false;
  for (const line of lines.map(plainText)) {
    const isItem = /^[-*+•] /u.test(line);
    const isGap = line === "" && (printed.at(-1) ?? "") === "";
    if (isGap) continue;
    // A list ends at an empty line.
    if (wasItem && !isItem && line !== "") printed.push("");
    printed.push(isItem ? `  - ${line.slice(2)}` : line);
    wasItem = isItem;
  }
  if (printed.at(-1) === "") printed.pop();
  return printed
    .map((line, at) => {
      const mark = isHeading(line, at, printed) ? "# " : "";
      return `${indent}//${line === "" ? "" : ` ${mark}${line}`}`;
    })
    .join("\n");
}

/**
 * Whether gofmt reads a line as a heading. Source: `isOldHeading` in Go's package
 * `go/doc/comment`.
 */
function isHeading(
  line: string,
  at: number,
  lines: readonly string[],
): boolean {
  const next = lines[at + 2];
  const isAlone = lines[at - 1] === "" && lines[at + 1] === "";
  return (
    isAlone &&
    next !== undefined &&
    !next.startsWith(" ") &&
    /^\p{Lu}(?:.*[\p{L}\p{Nd}])?$/u.test(line) &&
    !/[;:!?+*/=[\]{}_^°&§~%#@<">\\]/u.test(line) &&
    !/'(?!s(?: |$))/u.test(line) &&
    !/\.(?: |$)/u.test(line)
  );
}

/** Returns a line without what Go would read as more than text. */
function plainText(line: string): string {
  return oneLine(line)
    .replace(/^#+ ?/u, "")
    .replace(/^\+(?! )/u, "")
    .replace(/^(\d+)[.)] /u, "($1) ")
    .replace(/^(\[[^\]]*\]):/u, "$1 :")
    .replace(/\\+$/u, "")
    .trimEnd();
}
