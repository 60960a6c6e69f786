import { trimBlank } from "../../../ir/docs.js";
import type { Docs } from "../../../ir/contract.js";
import type { Form } from "./forms.js";
import { quoteComment } from "./quote.js";

/** The content of a doc comment besides the text in the schema. */
export interface DocExtras {
  /** Text of a `@deprecated` tag. Null or absent if there is none. */
  readonly deprecated?: string | null;
  /** Escaped lines below the text, e.g. the errors of a method. */
  readonly notes?: readonly string[];
}

/**
 * Returns the escaped lines of a doc comment. If `docs` is empty, `fallback`
 * replaces it.
 */
export function docLines(
  docs: Docs,
  fallback: readonly string[] = [],
  extras: DocExtras = {},
): readonly string[] {
  const own = trimBlank(quoteComment(docs.lines));
  const text = own.length === 0 ? fallback : own;
  const { deprecated = null, notes = [] } = extras;
  if (deprecated === null && notes.length === 0) return text;
  const blocks = [text, notes, deprecatedTag(deprecated)];
  return blocks
    .filter((block) => block.length > 0)
    .flatMap((block, index) => (index === 0 ? block : ["", ...block]));
}

function deprecatedTag(text: string | null): readonly string[] {
  if (text === null) return [];
  return quoteComment([text]).map((line) => `@deprecated ${line}`.trimEnd());
}

/** Prints lines as a doc comment. Returns "" if there are none. */
export function printDocs(lines: readonly string[]): string {
  return docsOf(lines).map(printComment).join("");
}

/**
 * Joins lines into the text of one doc comment. If there are several lines, the
 * text starts with a line break. Returns an empty list if there are no lines.
 */
export function docsOf(lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  return [lines.length === 1 ? (lines[0] ?? "") : `\n${lines.join("\n")}`];
}

/** Prints a doc comment. Files without types get only its first paragraph. */
export function printStructureDocs(
  docs: readonly string[] = [],
  { hasTypes }: Form,
): string {
  const texts = hasTypes ? docs : docs.map(firstParagraph);
  return texts.map(printComment).join("");
}

function printComment(text: string): string {
  if (!text.includes("\n")) return `/** ${text} */\n`;
  const start = text.startsWith("\n") ? text : `\n${text}`;
  const lines = start.replaceAll("\n", "\n * ").replaceAll(" * \n", " *\n");
  return `/**${lines}\n */\n`;
}

function firstParagraph(text: string): string {
  const [, start = "", paragraph = ""] =
    /^(\n?)(.*?)(?:\n\n|$)/su.exec(text) ?? [];
  return paragraph.includes("\n") ? start + paragraph : paragraph;
}
