import type { Annotation, Metadata, Word } from "./ast.js";
import type { Cursor } from "./cursor.js";
import {
  endMember,
  expectName,
  isAtItem,
  refuseHere,
  refuseSpace,
  requireSpace,
  warnJsonOptions,
} from "./expect.js";
import {
  endOfRun,
  endOfWords,
  parseString,
  readUnquoted,
  takeUnquoted,
} from "./values.js";
import { withVariants } from "./variants.js";

/**
 * Reads the members of a declaration up to the next item. `readMember` starts
 * at the `-` and reports unexpected text on its line.
 */
export function parseMembers<Member>(
  cursor: Cursor,
  readMember: () => Member | null,
): Member[] {
  const members: Member[] = [];
  for (;;) {
    cursor.skipNewlines();
    if (cursor.is("-")) {
      const member = readMember();
      if (member !== null) members.push(member);
    } else if (cursor.is("@")) parseAnnotations(cursor);
    else if (cursor.is("+")) refuseMetadata(cursor);
    else return members;
  }
}

function refuseMetadata(cursor: Cursor): void {
  const message = "metadata is not allowed here";
  cursor.error("misplaced-metadata", cursor.token, message, {
    notes: ["`+ key = value` is only allowed on a field or a `type`"],
    help: "for an argument, declare a `type` with this line, and use its name",
  });
  cursor.skipLine();
}

/** Reads `+ key = value` lines. Invalid lines are reported and omitted. */
export function parseMetadata(cursor: Cursor): readonly Metadata[] {
  // Without metadata, the line breaks after the member are not consumed.
  if (!cursor.isBeyondLines("+")) return none;
  const metadata: Metadata[] = [];
  while (cursor.isBeyondLines("+")) {
    cursor.skipNewlines();
    const entry = parseMetadataEntry(cursor);
    if (entry === null) cursor.skipLine();
    else {
      metadata.push(entry);
      endMember(cursor, "the value");
    }
  }
  return metadata;
}

/** Shared, because most members have no metadata. */
const none: readonly Metadata[] = [];

function parseMetadataEntry(cursor: Cursor): Metadata | null {
  const { start } = cursor.advance();
  const key = expectName(cursor, "the key of the metadata");
  if (key === null) return null;
  if (!cursor.is("=")) {
    return refuseHere(cursor, "missing-value", "`=` and a value");
  }
  const value = parseMetadataValue(cursor);
  const span = cursor.spanFrom(start);
  if (value === null) return null;
  warnJsonOptions(cursor, { key, value });
  return withVariants(cursor, { kind: "metadata", span, key, value });
}

/** Reads a string, or everything up to white space, even `#` and `,`. */
function parseMetadataValue(cursor: Cursor): Word | null {
  const equals = cursor.token.end;
  const { text } = cursor.source;
  const lineEnd = cursor.lineEnd(equals);
  let start = equals;
  while (start < lineEnd && (text[start] === " " || text[start] === "\t")) {
    start++;
  }
  if (text[start] === '"' && start < lineEnd) {
    cursor.moveTo(start);
    return parseString(cursor);
  }
  const span = { start, end: endOfRun(cursor, start) };
  if (span.end === start) {
    cursor.moveTo(equals);
    const place = { start: equals, end: equals };
    cursor.error("missing-value", place, "expected a value after `=`");
    return null;
  }
  cursor.moveTo(span.end);
  if (isFollowedByText(cursor)) {
    return takeUnquoted(cursor, start, endOfWords(cursor), "the value");
  }
  return readUnquoted(cursor, span);
}

/** Whether more text follows a value, as in `+ title = an address`. */
function isFollowedByText(cursor: Cursor): boolean {
  if (cursor.isAtLineEnd || cursor.is("-", "+", "@")) return false;
  return !isAtItem(cursor);
}

/** Reads the annotations of a line for the declaration that follows. */
export function parseAnnotations(cursor: Cursor): void {
  for (let isFirst = true; cursor.is("@"); isFirst = false) {
    if (!isFirst) requireSpace(cursor, "before `@`");
    const annotation = parseAnnotation(cursor);
    if (annotation === null) return cursor.skipLine();
    cursor.addAnnotation(annotation);
  }
  if (cursor.is("+")) return;
  endMember(cursor, "the annotation");
}

function parseAnnotation(cursor: Cursor): Annotation | null {
  const { start } = cursor.advance();
  refuseSpace(cursor, "after `@`");
  const name = expectName(cursor, "the name of the annotation");
  if (name === null) return null;
  if (!cursor.is(":")) {
    return { kind: "annotation", span: cursor.spanFrom(start), name };
  }
  refuseSpace(cursor, "before `:`");
  cursor.advance();
  refuseSpace(cursor, "after `:`");
  const value = parseAnnotationValue(cursor);
  const span = cursor.spanFrom(start);
  return value && { kind: "annotation", span, name, value };
}

function parseAnnotationValue(cursor: Cursor): Word | null {
  if (cursor.is('"')) return parseString(cursor);
  if (cursor.isAtLineEnd) {
    return refuseHere(cursor, "missing-value", "a value after `:`");
  }
  const { start } = cursor.token;
  const end = endOfRun(cursor, start);
  if (cursor.is("word") && cursor.token.end === end) {
    return readUnquoted(cursor, cursor.takeWord().span);
  }
  return takeUnquoted(cursor, start, end, "the value of the annotation");
}
