import type { Program } from "../../../../generator/2-check/program/program.js";
import type { LoadedDocument } from "../../../../generator/1-parse/load/load-documents.js";
import { createMatcher } from "../names/matches-query.js";
import type { Workspace } from "../workspace/workspace.js";
import { lineStartAt } from "../../../../generator/source/line-index.js";
import type { Span } from "../../../../generator/source/source.js";

/** The documents that completions come from. */
export interface CompletionScope {
  readonly workspace: Workspace;
  readonly program: Program;
}

/** The first word of the declaration that contains a line, or null. */
export type Block =
  "enum" | "error" | "import" | "service" | "struct" | "type" | null;

/**
 * The unfinished line at the cursor, which may be missing from the syntax tree.
 */
export interface LineContext {
  readonly document: LoadedDocument;
  readonly offset: number;
  /** The text from the start of the line to the cursor. */
  readonly before: string;
  /** The text from the cursor to the end of the line. */
  readonly after: string;
  readonly block: Block;
  /** The first line of the block, which may be the cursor's line. */
  readonly blockLine: string;
}

/** Matches the commas between arguments, but not those in `map<key,value>`. */
export const betweenArguments = /,(?![^<]*>)/;

const beginning = /^\s*(enum|error|import|service|struct|type)\b/;

/** Creates a predicate for names that match the word before the cursor. */
export function createNameMatcher({
  before,
}: LineContext): (name: string) => boolean {
  return createMatcher(/\w*$/.exec(before)?.[0] ?? "");
}

/** Analyzes the text around a cursor. */
export function readLine(
  document: LoadedDocument,
  offset: number,
): LineContext {
  const { text } = document.syntax.source;
  const start = lineStartAt(text, offset);
  const end = text.indexOf("\n", offset);
  const after = text.slice(offset, end === -1 ? text.length : end);
  const before = text.slice(start, offset);
  return { document, offset, before, after, ...findBlock(text, start, before) };
}

function findBlock(
  text: string,
  lineStart: number,
  before: string,
): Pick<LineContext, "block" | "blockLine"> {
  let line = before;
  for (let start = lineStart; ;) {
    const word = beginning.exec(line)?.[1];
    if (word !== undefined) return { block: blockOf(word), blockLine: line };
    if (start === 0) return { block: null, blockLine: "" };
    const end = start - 1;
    start = lineStartAt(text, end);
    line = text.slice(start, end);
  }
}

function blockOf(word: string): Block {
  switch (word) {
    case "enum":
    case "error":
    case "import":
    case "service":
    case "struct":
    case "type":
      return word;
    default:
      return null;
  }
}

/** Returns the span that a pattern matches directly before the cursor. */
export function spanBefore(
  { before, offset }: LineContext,
  pattern: RegExp = /\w*$/,
): Span {
  const typed = pattern.exec(before)?.[0] ?? "";
  return { start: offset - typed.length, end: offset };
}
