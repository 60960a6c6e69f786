import type { Argument, Message, Word } from "./ast.js";
import type { Cursor } from "./cursor.js";
import { parseFieldHead } from "./declarations.js";
import { adviseAlternatives } from "./foreign-words.js";
import {
  found,
  currentSpan,
  isAtItem,
  refuseHere,
  refuseSpace,
} from "./expect.js";

/** Reads the parenthesized input or output of a method. */
export function parseMessage(
  cursor: Cursor,
  isStream: boolean,
): Message | null {
  if (!cursor.is("(")) {
    return refuseHere(cursor, "unclosed-bracket", "`(`", {
      help: "arguments go in parentheses: `(name: type)`",
    });
  }
  const open = cursor.advance();
  const succinct = takeSuccinct(cursor);
  const list = succinct === undefined ? parseArguments(cursor) : [];
  if (list === null) return null;
  cursor.advance();
  const span = cursor.spanFrom(open.start);
  const message = { kind: "message", span, isStream, arguments: list } as const;
  return succinct === undefined ? message : { ...message, succinct };
}

/** Reads the only word of `(Request)`. Afterwards, the cursor is at the `)`. */
function takeSuccinct(cursor: Cursor): Word | undefined {
  if (!cursor.is("word") || cursor.peek().kind !== ")") return undefined;
  refuseSpace(cursor, "after `(`");
  const name = cursor.takeWord();
  refuseSpace(cursor, "before `)`");
  return name;
}

/** Reads arguments up to the `)`. Commas and `|` between them are optional. */
function parseArguments(cursor: Cursor): Argument[] | null {
  const list: Argument[] = [];
  let isLineReported = false;
  while (!cursor.is(")")) {
    if (cursor.is(",", "|")) cursor.advance();
    else if (cursor.is("newline") && continuesBelow(cursor)) {
      if (!isLineReported) reportLineBreak(cursor);
      isLineReported = true;
      cursor.skipNewlines();
    } else if (cursor.is("word")) {
      const argument = parseArgument(cursor);
      if (argument === null) return null;
      list.push(argument);
    } else return refuseInArguments(cursor);
  }
  return list;
}

function parseArgument(cursor: Cursor): Argument | null {
  const { start } = cursor.token;
  // webrpc allows `|` between arguments, so `a: int32 | string` has two.
  const separator = cursor.source.text.charAt(cursor.previousEnd - 1);
  const help = adviseAlternatives(separator);
  const head = parseFieldHead(cursor, "the name of an argument", help);
  const span = cursor.spanFrom(start);
  return head && { kind: "argument", span, ...head, metadata: [] };
}

/** Whether the lines below contain more arguments or the `)`. */
function continuesBelow(cursor: Cursor): boolean {
  const start = cursor.previousEnd;
  cursor.skipNewlines();
  const next = cursor.is("word") ? cursor.peek().kind : cursor.token.kind;
  const continues = [":", "?", ")", ","].includes(next) && !isAtItem(cursor);
  cursor.moveTo(start);
  return continues;
}

function reportLineBreak(cursor: Cursor): void {
  const { previousEnd } = cursor;
  const span = { start: previousEnd, end: previousEnd };
  const message = "an argument list must be on one line";
  cursor.error("line-break", span, message, {
    help: "put the whole method on one line, or declare a struct for its input",
  });
}

function refuseInArguments(cursor: Cursor): null {
  const isOver = cursor.isAtLineEnd || cursor.is("=>");
  const message = isOver
    ? "expected `)` at the end of the arguments"
    : `unexpected ${found(cursor)} in the arguments`;
  const code = isOver ? "unclosed-bracket" : "unexpected-token";
  cursor.error(code, currentSpan(cursor), message, {
    help: "arguments are written `(name: type, other?: type)`",
  });
  return null;
}
