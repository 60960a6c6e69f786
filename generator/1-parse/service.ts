import type { Message, Method, ServiceDeclaration, Word } from "./ast.js";
import type { Cursor } from "./cursor.js";
import {
  endLine,
  endMember,
  expectName,
  refuseSpace,
  requireSpace,
} from "./expect.js";
import { parseMembers } from "./members.js";
import { parseMessage } from "./message.js";
import { parseLiteral } from "./values.js";

/**
 * Reads `service Name` and its methods. The cursor is at the keyword. Returns
 * null if there is no name.
 */
export function parseService(cursor: Cursor): ServiceDeclaration | null {
  const { start, annotations, above } = cursor.begin();
  const name = parseLiteral(cursor, "the name of the service");
  if (name === null) cursor.skipLine();
  else endLine(cursor, "the name of the service");
  const methods = parseMembers(cursor, () => parseMethod(cursor));
  if (name === null) return null;
  const span = { start, end: methods.at(-1)?.span.end ?? name.span.end };
  const docs = cursor.takeTrailing(name.span.end, above);
  return { kind: "service", span, docs, annotations, name, methods };
}

type MethodHead = Omit<Method, "kind" | "span" | "docs" | "annotations">;

function parseMethod(cursor: Cursor): Method | null {
  const { start, annotations, above } = cursor.begin();
  const head = parseMethodHead(cursor);
  if (head === null) {
    cursor.skipLine();
    return null;
  }
  const span = cursor.spanFrom(start);
  endMethod(cursor, head);
  const docs = cursor.takeTrailing(span.end, above);
  return { kind: "method", span, docs, annotations, ...head };
}

function parseMethodHead(cursor: Cursor): MethodHead | null {
  const isStream = takeModifier(cursor, "stream");
  if (!isStream && takeModifier(cursor, "proxy")) return parseProxy(cursor);
  const name = expectName(cursor, "the name of a method");
  if (name === null) return null;
  refuseReservedName(cursor, name);
  if (cursor.is("(")) refuseSpace(cursor, "before `(`");
  const input = parseMessage(cursor, isStream);
  const output = input && parseOutput(cursor, input);
  if (input === null || output === null) return null;
  const errors = parseErrorNames(cursor);
  if (errors === null) return null;
  const head = { name, isProxy: false, input, output };
  return errors === undefined ? head : { ...head, errors };
}

/** Steps over `stream` or `proxy`, which are modifiers if a name follows. */
function takeModifier(cursor: Cursor, word: "stream" | "proxy"): boolean {
  if (!cursor.isWord(word) || cursor.peek().kind !== "word") return false;
  cursor.advance();
  return true;
}

function refuseReservedName(cursor: Cursor, { text, span }: Word): void {
  if (text !== "stream" && text !== "proxy") return;
  cursor.error("reserved-name", span, `a method cannot be named \`${text}\``, {
    notes: [`\`${text}\` is a modifier that comes before a method's name`],
    help: "choose another name",
  });
}

function parseProxy(cursor: Cursor): MethodHead {
  const name = cursor.takeWord();
  const message = emptyMessage(name.span.end);
  return { name, isProxy: true, input: message, output: message };
}

function emptyMessage(offset: number): Message {
  const span = { start: offset, end: offset };
  return { kind: "message", span, isStream: false, arguments: [] };
}

function parseOutput(cursor: Cursor, input: Message): Message | null {
  if (cursor.is("-") && cursor.peek().kind === ">") return refuseArrow(cursor);
  if (!cursor.is("=>")) return emptyMessage(cursor.previousEnd);
  if (input.succinct) requireSpace(cursor, "before `=>`");
  cursor.advance();
  const isStream = cursor.isWord("stream");
  if (isStream) cursor.advance();
  else if (input.succinct) requireSpace(cursor, "after `=>`");
  return parseMessage(cursor, isStream);
}

function refuseArrow(cursor: Cursor): null {
  const span = { start: cursor.token.start, end: cursor.peek().end };
  cursor.error("unexpected-token", span, "unexpected `->` after the input", {
    help: "write `=>`",
    replacement: { text: "=>" },
  });
  return null;
}

/**
 * Returns undefined if there is no `errors` clause, and null after a
 * diagnostic.
 */
function parseErrorNames(cursor: Cursor): Word[] | undefined | null {
  if (!cursor.isWord("errors")) return undefined;
  cursor.advance();
  const names: Word[] = [];
  for (;;) {
    const name = expectName(cursor, "the name of an error");
    if (name === null) return null;
    // Do not use `push(...)`, because a very long word could overflow the
    // stack.
    for (const part of splitErrorNames(cursor, name)) names.push(part);
    if (cursor.is(",")) reportSeparator(cursor, cursor.token);
    else if (!cursor.is("|")) return names;
    cursor.advance();
  }
}

/** Splits a word such as `A|B`, which cannot be the name of an error. */
function splitErrorNames(cursor: Cursor, word: Word): Word[] {
  if (!word.text.includes("|")) return [word];
  reportSeparator(cursor, word.span, word.text.replaceAll("|", " | ").trim());
  const names: Word[] = [];
  let { start } = word.span;
  for (const text of word.text.split("|")) {
    const span = { start, end: start + text.length };
    if (text !== "") names.push({ text, span, isQuoted: false });
    start = span.end + 1;
  }
  return names;
}

function reportSeparator(
  cursor: Cursor,
  span: { start: number; end: number },
  text = " |",
): void {
  const message = "error names must be separated by ` | `, with spaces";
  cursor.error("error-separator", span, message, {
    help: `write \`${text.trim()}\``,
    replacement: { text },
  });
}

/**
 * Ends a method. Drops an extra word, as webrpc's parser does, but warns about
 * it.
 */
function endMethod(cursor: Cursor, { input, output }: MethodHead): void {
  const last = output.succinct ?? input.succinct;
  const canTrail = cursor.is("word") || (last !== undefined && cursor.isGlued);
  const next = cursor.peek().kind;
  const isLast = next === "newline" || next === "end";
  if (!cursor.isAtLineEnd && canTrail && isLast) {
    const text = cursor.textOf(cursor.token);
    const message = `\`${text}\` after the method has no meaning`;
    cursor.warn("trailing-text", cursor.token, message, {
      notes: ["webrpc's parser silently ignores it"],
      help: "remove it, or turn it into a comment with `#`",
      replacement: { text: "" },
    });
    cursor.advance();
    return;
  }
  endMember(cursor, "the method", ["errors"]);
}
