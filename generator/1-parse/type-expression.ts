import type { Span } from "../source/source.js";
import type { TypeExpression, Word } from "./ast.js";
import type { Cursor } from "./cursor.js";
import { adviseType } from "./foreign-words.js";
import { refuseHere, refuseSpace } from "./expect.js";

/** Maximum nesting of lists and maps. */
export const maxTypeDepth = 64;

/**
 * Reads `string`, `[]T`, `map<K,V>` and their combinations. Returns null after
 * a diagnostic, in which case the rest of the line cannot be read.
 */
export function parseType(cursor: Cursor, depth = 0): TypeExpression | null {
  if (depth > maxTypeDepth) return refuseDepth(cursor);
  if (cursor.is("[")) return parseList(cursor, depth);
  if (!cursor.is("word")) return refuseHere(cursor, "missing-type", "a type");
  const name = takeTypeName(cursor);
  if (name.text === "map" && cursor.is("<")) {
    return parseMap(cursor, name.span.start, depth);
  }
  const type = { kind: "name", span: name.span, name } as const;
  return refuseSuffix(cursor, type, depth);
}

/**
 * Takes the name of a type. Leaves out the `#` or `;` that is part of the word
 * in `a: string# comment` and `a: int;`.
 */
function takeTypeName(cursor: Cursor): Word {
  const { start, end } = cursor.token;
  const text = cursor.textOf(cursor.token);
  const hash = text.indexOf("#");
  if (hash === -1) {
    return text.endsWith(";")
      ? refuseSemicolon(cursor, end)
      : cursor.takeWord();
  }
  const span: Span = { start, end: start + hash };
  const place = { start: span.end, end: span.end };
  cursor.warn(
    "not-portable",
    { start: span.end, end: span.end + 1 },
    "no white space before the comment",
    {
      notes: ["webrpc's parser reads it as part of the type's name"],
      help: "add a space",
      replacement: { text: " ", span: place },
    },
  );
  cursor.moveTo(span.end);
  return { text: cursor.textOf(span), span, isQuoted: false };
}

function refuseSemicolon(cursor: Cursor, end: number): Word {
  const word = cursor.takeWord();
  const name = word.text.replace(/;+$/, "");
  const span = { start: word.span.start, end: word.span.start + name.length };
  const place = { start: span.end, end };
  cursor.error("unexpected-token", place, "unexpected `;` after the type", {
    help: "remove it: lines need no terminator, and arguments are separated by `,`",
    replacement: { text: "" },
  });
  return { text: name, span, isQuoted: false };
}

function parseList(cursor: Cursor, depth: number): TypeExpression | null {
  const { start } = cursor.advance();
  if (!closeBracket(cursor, "]")) return null;
  refuseSpace(cursor, "after `[]`");
  const element = parseType(cursor, depth + 1);
  return element && { kind: "list", span: cursor.spanFrom(start), element };
}

function parseMap(
  cursor: Cursor,
  start: number,
  depth: number,
): TypeExpression | null {
  cursor.advance();
  const key = parseType(cursor, depth + 1);
  if (key === null) return null;
  if (!cursor.is(",", "|")) {
    const expected = "`,` and the type of the map's values";
    const help = "write `map<key,value>`";
    return refuseHere(cursor, "missing-type", expected, { help });
  }
  cursor.advance();
  const value = parseType(cursor, depth + 1);
  if (value === null || !closeBracket(cursor, ">")) return null;
  return { kind: "map", span: cursor.spanFrom(start), key, value };
}

function closeBracket(cursor: Cursor, close: "]" | ">"): boolean {
  if (cursor.is(close)) {
    cursor.advance();
    return true;
  }
  const help =
    close === "]" ? "a list is written `[]type`" : "close the `map<`";
  refuseHere(cursor, "unclosed-bracket", `\`${close}\``, { help });
  return false;
}

/**
 * Reports `string[]` and `string<…>`, which exist in other languages. Returns
 * the type, which is a list after `[]`, or null if parsing cannot continue.
 */
function refuseSuffix(
  cursor: Cursor,
  type: TypeExpression & { kind: "name" },
  depth: number,
): TypeExpression | null {
  if (!cursor.isGlued || !cursor.is("[", "<")) return type;
  const name = type.name.text;
  const place = cursor.token;
  const levels = skipBrackets(cursor);
  const after = `after the type \`${name}\``;
  if (levels === 0 || depth + levels > maxTypeDepth) {
    const message = `unexpected \`${cursor.textOf(place)}\` ${after}`;
    const help =
      adviseType(name) ??
      (cursor.is("<")
        ? "a map is written `map<key,value>`; there are no other generic types"
        : `a list is written \`[]${name}\``);
    cursor.error("unexpected-token", place, message, { help });
    return null;
  }
  const span = { start: type.span.start, end: cursor.previousEnd };
  const suffix = { start: place.start, end: span.end };
  const text = "[]".repeat(levels) + name;
  const message = `unexpected \`${cursor.textOf(suffix)}\` ${after}`;
  cursor.error("unexpected-token", suffix, message, {
    help: `a list is written \`${text}\``,
    replacement: { text, span },
  });
  let list: TypeExpression = type;
  for (let level = 0; level < levels; level++) {
    list = { kind: "list", span, element: list };
  }
  return list;
}

/** Skips each `[]` that follows and returns how many there were. */
function skipBrackets(cursor: Cursor): number {
  let count = 0;
  while (cursor.isGlued && cursor.is("[") && cursor.peek().kind === "]") {
    cursor.advance();
    cursor.advance();
    count++;
  }
  return count;
}

function refuseDepth(cursor: Cursor): null {
  cursor.error("deep-nesting", cursor.token, "this type is nested too deeply", {
    notes: [`lists and maps can be nested up to ${maxTypeDepth} levels deep`],
    help: "declare a struct for the inner type",
  });
  return null;
}
