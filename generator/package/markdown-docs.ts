import { markdownCode, markdownText } from "./markdown.js";
import type { Docs } from "../ir/contract.js";

/** Docs as paragraphs; "" when there are none. */
export function paragraphsOf({ lines }: Docs): string {
  return lines
    .join("\n")
    .split(/\n{2,}/u)
    .map(markdownText)
    .filter((text) => text !== "")
    .join("\n\n");
}

/** Docs in a cell of a table. */
export function cellOf({ lines }: Docs): string {
  return markdownText(lines.join(" "));
}

/** Code in a cell of a table, where bars end cells even in code. */
export function codeCell(text: string): string {
  return markdownCode(text).replaceAll("|", "\\|");
}
