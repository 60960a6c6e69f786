import type { ErrorDeclaration, Header, Import, Word } from "./ast.js";
import type { Cursor } from "./cursor.js";
import { refuseAnnotations } from "./declarations.js";
import {
  endLine,
  endMember,
  expectName,
  isAtItem,
  refuseHere,
} from "./expect.js";
import { parseMembers } from "./members.js";
import type { Token } from "./token.js";
import { endOfWords, parseLiteral, takeUnquoted } from "./values.js";

/** Reads `key = value`. The cursor is at the key. */
export function parseHeader(cursor: Cursor): Header | null {
  const above = cursor.comments.takeAbove(cursor.token.start, []);
  const key = cursor.takeWord();
  if (!cursor.is("=")) {
    refuseHere(cursor, "missing-value", `\`=\` after \`${key.text}\``);
    cursor.skipLine();
    return null;
  }
  cursor.advance();
  const value = parseLineValue(cursor, `the value of \`${key.text}\``);
  if (value === null) return null;
  const span = cursor.spanFrom(key.span.start);
  const docs = cursor.takeTrailing(key.span.start, above);
  return { kind: "header", span, docs, key, value };
}

/** Reads a value that ends with its line. A value with spaces needs quotes. */
function parseLineValue(cursor: Cursor, what: string): Word | null {
  const value = parseLiteral(cursor, what, ["word", "/"], endOfWords);
  if (value === null) cursor.skipLine();
  else if (cursor.is("word") && !value.isQuoted && !isAtItem(cursor)) {
    return takeUnquoted(cursor, value.span.start, endOfWords(cursor), what);
  } else endLine(cursor, what);
  return value;
}

/** Reads `import path` with its members, or the list form. */
export function parseImports(cursor: Cursor): Import[] {
  const keyword = cursor.token;
  const above = cursor.comments.takeAbove(keyword.start, []);
  cursor.advance();
  if (!cursor.isAtLineEnd) return parseSingleImport(cursor, keyword, above);
  let start: number | undefined = keyword.start;
  const entries = parseMembers(cursor, () => {
    const entry = parseImportEntry(cursor, start);
    start = undefined;
    return entry;
  });
  const [first, ...others] = entries;
  if (first === undefined) return [];
  return [{ ...first, docs: [...above, ...first.docs] }, ...others];
}

function parseImportEntry(cursor: Cursor, from?: number): Import | null {
  const above = cursor.comments.takeAbove(cursor.token.start, []);
  const dash = cursor.advance();
  const path = parsePath(cursor);
  const span = cursor.spanFrom(from ?? dash.start);
  if (path === null) cursor.skipLine();
  endMember(cursor, "the path");
  if (path === null) return null;
  const docs = cursor.takeTrailing(path.span.start, above);
  return { kind: "import", span, docs, path, members: [] };
}

function parseSingleImport(
  cursor: Cursor,
  keyword: Token,
  above: readonly string[],
): Import[] {
  skipNames(cursor);
  const path = parsePath(cursor);
  if (path === null) cursor.skipLine();
  else endMember(cursor, "the path");
  const members = parseMembers(cursor, () => {
    refuseAnnotations(cursor);
    cursor.comments.takeAbove(cursor.token.start, []);
    cursor.advance();
    const member = parseLiteral(cursor, "the name of a member");
    if (member === null) cursor.skipLine();
    endMember(cursor, "the name");
    return member;
  });
  if (path === null) return [];
  const docs = cursor.takeTrailing(path.span.start, above);
  const end = members.at(-1)?.span.end ?? path.span.end;
  const span = { start: keyword.start, end };
  return [{ kind: "import", span, docs, path, members }];
}

/** Skips `{ A } from`, as in JavaScript's `import { A } from "a.ridl"`. */
function skipNames(cursor: Cursor): void {
  const { start } = cursor.token;
  const line = cursor.source.text.slice(start, cursor.lineEnd(start));
  const names = /^[^"]*\bfrom\s+(?=")/u.exec(line)?.[0];
  if (names === undefined) return;
  const span = { start, end: start + names.trimEnd().length };
  const message = "unexpected text before the path";
  cursor.error("unexpected-token", span, message, {
    help: "write only the path, and each name on a line below it: `- Name`",
  });
  cursor.moveTo(start + names.length);
}

function parsePath(cursor: Cursor): Word | null {
  return parseLiteral(cursor, "the path of a file", ["word", ".", "/"]);
}

/** Reads `error code Name "message" HTTP status`. */
export function parseError(cursor: Cursor): ErrorDeclaration | null {
  const { start, annotations, above } = cursor.begin();
  const code = expectErrorCode(cursor);
  const name = code && expectName(cursor, "the name of the error");
  const message = name && parseErrorMessage(cursor);
  const status = message && parseStatus(cursor);
  if (code === null || name === null || message === null || status === null) {
    cursor.skipLine();
    return null;
  }
  const span = cursor.spanFrom(start);
  endLine(cursor, "the error");
  const docs = cursor.takeTrailing(span.end, above);
  const declaration = { kind: "error", span, docs, annotations } as const;
  if (status === undefined) return { ...declaration, code, name, message };
  return { ...declaration, code, name, message, status };
}

/**
 * Reads the code. If a name and a string follow instead, reports that the code
 * is missing.
 */
function expectErrorCode(cursor: Cursor): Word | null {
  const text = cursor.textOf(cursor.token);
  const isForgotten = cursor.is("word") && cursor.peek().kind === '"';
  if (!isForgotten || /^\d/u.test(text)) {
    return expectName(cursor, "the code of the error");
  }
  const message = `expected the code of the error, found \`${text}\``;
  cursor.error("missing-name", cursor.token, message, {
    help: `add a unique code: \`error 1001 ${text}\``,
  });
  return null;
}

function parseErrorMessage(cursor: Cursor): Word | null {
  const message = parseLiteral(cursor, "the message of the error", ["word"]);
  if (message === null || message.isQuoted || !cursor.is("word")) {
    return message;
  }
  if (cursor.isWord("HTTP") || isAtItem(cursor)) return message;
  while (!cursor.isAtLineEnd && !cursor.isWord("HTTP")) cursor.advance();
  const { start } = message.span;
  return takeUnquoted(cursor, start, cursor.previousEnd, "the text");
}

/**
 * Returns undefined if there is no status, and null if the status is
 * incomplete.
 */
function parseStatus(cursor: Cursor): Word | undefined | null {
  if (cursor.isWord("HTTP")) {
    cursor.advance();
    return expectName(cursor, "the HTTP status");
  }
  if (!cursor.is("word") || isAtItem(cursor)) return undefined;
  const text = cursor.textOf(cursor.token);
  const status = /^(?:http:?)?(\d+)$/i.exec(text)?.[1];
  if (status === undefined) return undefined;
  const message = "expected `HTTP` before the status";
  cursor.error("unexpected-token", cursor.token, message, {
    help: `write \`HTTP ${status}\``,
    replacement: { text: `HTTP ${status}` },
  });
  return cursor.takeWord();
}
