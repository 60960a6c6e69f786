import type { ParseCode } from "../diagnostics/catalog.js";
import { suggestHelp } from "../diagnostics/suggest.js";
import type { Span } from "../source/source.js";
import { adviseFound, adviseModifier } from "./foreign-words.js";
import type { Metadata, Word } from "./ast.js";
import type { Cursor } from "./cursor.js";
import type { Detail, Reporter } from "./reporter.js";

/** Words that begin a declaration. */
const declarationWords = ["error", "enum", "struct", "type", "service"];
const headerWords = ["webrpc", "name", "version", "basepath"];

/** Every word that can begin a top-level item. */
export const topLevelWords: readonly string[] = [
  ...headerWords,
  "import",
  ...declarationWords,
];

/** Whether this word begins a header. */
export function isHeaderWord(text: string): boolean {
  return headerWords.includes(text);
}

/** Whether the current word, within a line, begins a top-level item. */
export function isAtItem(cursor: Cursor): boolean {
  if (!cursor.is("word")) return false;
  const text = cursor.textOf(cursor.token);
  const next = cursor.peek().kind;
  if (isHeaderWord(text)) return next === "=";
  if (text === "import") return next !== "end";
  // `- A() error X` is a misspelled `errors X`.
  if (text === "error") return /^\d/.test(cursor.textOf(cursor.peek()));
  return declarationWords.includes(text) && (next === "word" || next === '"');
}

/** Describes the current token. */
export function found(cursor: Cursor): string {
  if (cursor.is("end")) {
    const isWhole = cursor.token.end === cursor.source.text.length;
    return isWhole ? "the end of the file" : "the end of the value";
  }
  if (cursor.is("newline")) return "the end of the line";
  return `\`${cursor.textOf(cursor.token)}\``;
}

/**
 * Returns the span of the current token. At the end of a line, returns an empty
 * span after the previous token.
 */
export function currentSpan(cursor: Cursor): Span {
  const end = cursor.previousEnd;
  return cursor.isAtLineEnd ? { start: end, end } : cursor.token;
}

/** Reports that the current token is not the expected one. Returns null. */
export function refuseHere(
  cursor: Cursor,
  code: ParseCode,
  expected: string,
  detail?: Detail,
): null {
  const message = `expected ${expected}, found ${found(cursor)}`;
  cursor.error(code, currentSpan(cursor), message, detail);
  return null;
}

/** Reads a name. If there is none, reports this and returns null. */
export function expectName(cursor: Cursor, what: string): Word | null {
  if (cursor.is("word")) return cursor.takeWord();
  return refuseHere(cursor, "missing-name", what);
}

/**
 * Steps over a `:`, or reports that it is missing. Returns whether to read the
 * type next, which is also the case if only the `:` is missing. `helpOfAll` is
 * the help if the type is missing too.
 */
export function expectColon(
  cursor: Cursor,
  name: Word,
  helpOfAll?: string,
): boolean {
  if (cursor.is(":")) {
    refuseSpace(cursor, "before `:`");
    cursor.advance();
    return true;
  }
  const modifier = adviseModifier(name.text);
  const foreign = adviseFound("missing-type", cursor.textOf(cursor.token));
  const help = modifier ?? helpOfAll ?? foreign;
  const isForgotten = !modifier && !foreign && isAtTypeName(cursor);
  const end = cursor.previousEnd;
  const expected = `\`:\` and the type of \`${name.text}\``;
  const fix = {
    help: `write \`${name.text}: ${cursor.textOf(cursor.token)}\``,
    replacement: { text: ":", span: { start: end, end } },
  };
  const detail = isForgotten ? fix : help === undefined ? {} : { help };
  refuseHere(cursor, "missing-type", expected, detail);
  return isForgotten;
}

function isAtTypeName(cursor: Cursor): boolean {
  if (!cursor.is("word") || isAtItem(cursor)) return false;
  const next = cursor.peek().kind;
  // `(a b: int)`: the second word is a name, not the type of the first.
  return next !== ":" && next !== "?";
}

/** Warns about syntax that ridlkit accepts and webrpc rejects. */
export function warnNotPortable(
  reporter: Reporter,
  span: Span,
  message: string,
  detail: Detail,
): void {
  const notes = ["webrpc's parser rejects this"];
  reporter.warn("not-portable", span, message, { notes, ...detail });
}

/** Warns about options after a JSON name, such as `app_name,omitempty` in Go. */
export function warnJsonOptions(
  reporter: Reporter,
  { key, value: { isQuoted, span, text } }: Pick<Metadata, "key" | "value">,
): void {
  const [name = ""] = text.split(",");
  if (key.text !== "json" || name === "" || name === text) return;
  const isText = reporter.source.text.slice(span.start, span.end) === text;
  warnNotPortable(reporter, span, "the JSON name is followed by options", {
    help: `write \`${name}\``,
    ...((isText || !isQuoted) && { replacement: { text: name } }),
  });
}

/** Warns if there is white space before the current token. */
export function refuseSpace(cursor: Cursor, where: string): void {
  if (cursor.isGlued) return;
  const span = { start: cursor.previousEnd, end: cursor.token.start };
  warnNotPortable(cursor, span, `white space ${where}`, {
    help: "remove the white space",
    replacement: { text: "" },
  });
}

/** Warns if there is no white space before the current token. */
export function requireSpace(cursor: Cursor, where: string): void {
  if (!cursor.isGlued) return;
  const span = { start: cursor.token.start, end: cursor.token.start };
  warnNotPortable(cursor, cursor.token, `no white space ${where}`, {
    help: "add a space",
    replacement: { text: " ", span },
  });
}

/** Ends a declaration's head, which must be on its own line. */
export function endLine(cursor: Cursor, what: string): void {
  if (cursor.isAtLineEnd) return;
  if (cursor.is("-", "@") || isAtItem(cursor)) {
    const { start } = cursor.token;
    warnNotPortable(cursor, cursor.token, `no line break after ${what}`, {
      help: "begin a new line here",
      replacement: { text: "\n", span: { start, end: start } },
    });
    return;
  }
  reportRest(cursor, what);
}

/** Ends a member. The next member or item can be on the same line. */
export function endMember(
  cursor: Cursor,
  what: string,
  words: readonly string[] = [],
): void {
  if (cursor.isAtLineEnd || cursor.is("-", "@", "+")) return;
  if (isAtItem(cursor)) return;
  reportRest(cursor, what, words);
}

/** Reports unexpected text after `what`, and skips it. */
function reportRest(
  cursor: Cursor,
  what: string,
  words: readonly string[] = [],
): void {
  const text = cursor.textOf(cursor.token);
  const message = `unexpected \`${text}\` after ${what}`;
  const detail = suggestHelp(text, words);
  cursor.error("unexpected-token", cursor.token, message, detail);
  skipRest(cursor);
}

/**
 * Skips the rest of the line. If it ends with `{`, also skips the lines after
 * it up to the next member or top-level item.
 */
export function skipRest(cursor: Cursor): void {
  if (restOfLine(cursor).trimEnd().endsWith("{")) skipBraces(cursor);
  else cursor.skipLine();
}

/** Returns the text from the current token to the end of the line. */
export function restOfLine(cursor: Cursor): string {
  const { start } = cursor.token;
  return cursor.source.text.slice(start, cursor.lineEnd(start));
}

/**
 * Skips lines after an opening brace, up to the next member or top-level item.
 */
function skipBraces(cursor: Cursor): void {
  cursor.hasBraces = true;
  do {
    cursor.skipLine();
    cursor.skipNewlines();
  } while (!cursor.is("end", "-", "@") && !isKeyword(cursor));
}

/** Whether the current token is a word that begins a top-level item. */
export function isKeyword(cursor: Cursor): boolean {
  return (
    cursor.is("word") && topLevelWords.includes(cursor.textOf(cursor.token))
  );
}
