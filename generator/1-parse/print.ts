import type { Diagnostic } from "../diagnostics/diagnostic.js";
import { LineIndex } from "../source/line-index.js";
import type { Comment, Document } from "./ast.js";
import { isFormPath } from "./form-path.js";
import { type PrintedLine, printLines } from "./print-lines.js";

/** Warnings about text that has no meaning and is not in the tree. */
const omissions: ReadonlySet<string> = new Set([
  "dangling-annotation",
  "nul-character",
  "trailing-text",
]);

/**
 * Whether a tree contains everything that its document says, so that printing
 * the tree loses no text. Input: the diagnostics of the parser.
 */
export function isPrintable(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.every(
    ({ code, severity }) => severity !== "error" && !omissions.has(code),
  );
}

/**
 * Prints a document as RIDL. This is the formatter. It indents members by two
 * spaces, aligns errors, keeps comments next to their declarations, and reduces
 * several blank lines to one. Input: a document that {@link isPrintable}. Each
 * line of the result ends with `\n`, and formatting the result again changes
 * nothing. `comments: "public"` omits private comments.
 */
export function printDocument(
  document: Document,
  comments: "all" | "public" = "all",
): string {
  const lines = new LineIndex(document.source.text);
  const printed = printLines(document, lines);
  return isFormPath(document.source.path)
    ? printWithDocs(printed)
    : printWithComments(printed, document.comments, lines, comments);
}

/** Prints a document that has no comments. Its doc comments become comments. */
function printWithDocs(printed: readonly PrintedLine[]): string {
  let text = "";
  let group: string | undefined;
  for (const line of printed) {
    const margin = marginOf(line.depth);
    if (line.group !== undefined) {
      const isAlike = line.group !== "" && line.group === group;
      if (group !== undefined && !isAlike) text += "\n";
      group = line.group;
    }
    for (const doc of line.docs) text += `${margin}# ${doc}`.trimEnd() + "\n";
    text += `${margin}${line.text}\n`;
  }
  return text;
}

/** A line to print, with the number of its source line. */
type Row =
  | { readonly kind: "line"; readonly at: number; readonly line: PrintedLine }
  | {
      readonly kind: "comment";
      readonly at: number;
      readonly comment: Comment;
    };

function printWithComments(
  printed: readonly PrintedLine[],
  comments: readonly Comment[],
  lines: LineIndex,
  chosen: "all" | "public",
): string {
  const isShown = ({ isPrivate }: Comment): boolean =>
    chosen === "all" || !isPrivate;
  const trailing = attachTrailing(printed, comments, lines);
  const attached = new Set(trailing.values());
  const own = comments.filter((comment) => !attached.has(comment));
  const rows = mergeRows(printed, own, lines);
  const depths = depthsOf(rows, lines);
  let text = "";
  let previous: Row | undefined;
  let isApart = false;
  for (const [index, row] of rows.entries()) {
    isApart ||= previous !== undefined && needsBlank(previous, row);
    previous = row;
    // A hidden comment must not separate the lines around it.
    if (row.kind === "comment" && !isShown(row.comment)) continue;
    if (isApart && text !== "") text += "\n";
    isApart = false;
    const line = writeRow(row, trailing, isShown);
    text += `${marginOf(depths[index] ?? 0)}${line}\n`;
  }
  return text;
}

/** Maps printed lines to the comments at their ends. */
function attachTrailing(
  printed: readonly PrintedLine[],
  comments: readonly Comment[],
  lines: LineIndex,
): ReadonlyMap<PrintedLine, Comment> {
  const hosts = new Map<number, PrintedLine>();
  for (const line of printed) {
    const at = lines.lineOf(line.start);
    // The comment belongs to the last definition on the line, never to
    // metadata.
    if (line.isDefinition || !hosts.get(at)?.isDefinition) hosts.set(at, line);
  }
  const attached = new Map<PrintedLine, Comment>();
  for (const comment of comments) {
    const host = hosts.get(lines.lineOf(comment.span.start));
    if (comment.isTrailing && host) attached.set(host, comment);
  }
  return attached;
}

function mergeRows(
  printed: readonly PrintedLine[],
  comments: readonly Comment[],
  lines: LineIndex,
): readonly Row[] {
  const rows: Row[] = [];
  let next = 0;
  for (const line of printed) {
    for (; (comments[next]?.span.start ?? Infinity) < line.start; next++) {
      rows.push(...commentRow(comments[next], lines));
    }
    rows.push({ kind: "line", at: lines.lineOf(line.start), line });
  }
  const rest = comments.slice(next);
  return [...rows, ...rest.flatMap((comment) => commentRow(comment, lines))];
}

function commentRow(comment: Comment | undefined, lines: LineIndex): Row[] {
  if (comment === undefined) return [];
  const at = lines.lineOf(comment.span.start);
  return [{ kind: "comment", at, comment }];
}

function needsBlank(previous: Row, row: Row): boolean {
  if (row.at > previous.at + 1) return true;
  // The text before the comment is gone, so it must not document the next line.
  return previous.kind === "comment" && previous.comment.isTrailing;
}

function writeRow(
  row: Row,
  trailing: ReadonlyMap<PrintedLine, Comment>,
  isShown: (comment: Comment) => boolean,
): string {
  if (row.kind === "comment") return hash(row.comment);
  const comment = trailing.get(row.line);
  return comment && isShown(comment)
    ? `${row.line.text} ${hash(comment)}`
    : row.line.text;
}

/**
 * Returns the depth of each row. A comment is indented like the next line or,
 * if it is indented at the end of a block, like the members.
 */
function depthsOf(rows: readonly Row[], lines: LineIndex): readonly number[] {
  let following = 0;
  return rows
    .toReversed()
    .map((row) => {
      if (row.kind === "line") return (following = row.line.depth);
      const { span, isTrailing } = row.comment;
      const isIndented = !isTrailing && span.start > lines.startOf(row.at);
      return following === 0 && isIndented ? 1 : following;
    })
    .toReversed();
}

function hash(comment: Comment): string {
  return `#${comment.text.trimEnd()}`;
}

function marginOf(depth: number): string {
  return "  ".repeat(depth);
}
