import type { Diagnosed } from "../diagnostics/diagnostic.js";
import { suggest } from "../diagnostics/suggest.js";
import type { Source } from "../source/source.js";
import type { Document, Item } from "./ast.js";
import { Cursor } from "./cursor.js";
import {
  parseAlias,
  parseEnum,
  parseStruct,
  refuseAnnotations,
} from "./declarations.js";
import { found, isHeaderWord, isKeyword, topLevelWords } from "./expect.js";
import { adviseKeyword, errorData } from "./foreign-words.js";
import { parseError, parseHeader, parseImports } from "./head-items.js";
import { parseAnnotations } from "./members.js";
import { parseService } from "./service.js";

/** Parses a RIDL document. Invalid text is reported and left out. */
export function parseRidl(source: Source): Diagnosed<Document> {
  const cursor = new Cursor(source);
  const items: Item[] = [];
  for (;;) {
    cursor.skipNewlines();
    if (cursor.is("end")) break;
    if (cursor.is("@")) parseAnnotations(cursor);
    else if (cursor.is("word")) {
      for (const item of parseItem(cursor)) items.push(item);
    } else refuseToken(cursor, items.at(-1));
  }
  refuseAnnotations(cursor);
  const { comments } = cursor.comments;
  const value = { kind: "document", source, items, comments } as const;
  return { value, diagnostics: cursor.diagnostics };
}

function parseItem(cursor: Cursor): readonly Item[] {
  const keyword = cursor.textOf(cursor.token);
  switch (keyword) {
    case "import":
      refuseAnnotations(cursor);
      return parseImports(cursor);
    case "error":
      return listOf(parseError(cursor));
    case "enum":
      return listOf(parseEnum(cursor));
    case "type":
      return listOf(parseAlias(cursor));
    case "message":
      reportMessageKeyword(cursor);
      return listOf(parseStruct(cursor));
    case "struct":
      return listOf(parseStruct(cursor));
    case "service":
      return listOf(parseService(cursor));
  }
  if (!isHeaderWord(keyword) || isMember(cursor)) {
    return refuseKeyword(cursor, keyword);
  }
  refuseAnnotations(cursor);
  return listOf(parseHeader(cursor));
}

function listOf(item: Item | null): readonly Item[] {
  return item === null ? [] : [item];
}

function reportMessageKeyword(cursor: Cursor): void {
  const message = "`message` was renamed to `struct`";
  cursor.error("renamed-keyword", cursor.token, message, {
    help: "write `struct`",
    replacement: { text: "struct" },
  });
}

/** Whether a field or method begins here without its `-`. */
function isMember(cursor: Cursor): boolean {
  return [":", "?", "("].includes(cursor.peek().kind);
}

function refuseKeyword(cursor: Cursor, keyword: string): readonly Item[] {
  const advice = adviseKeyword(keyword);
  if (advice === undefined && isMember(cursor)) {
    const message = `expected \`-\` before the member \`${keyword}\``;
    cursor.error("unknown-keyword", cursor.token, message, {
      help: `write \`- ${keyword}\``,
    });
    skipBroken(cursor);
    return [];
  }
  const message = `unknown keyword \`${keyword}\``;
  const [meant] = suggest(keyword, topLevelWords);
  cursor.error("unknown-keyword", cursor.token, message, {
    notes: [
      `a top-level line must begin with one of ${topLevelWords.join(", ")}`,
    ],
    ...(advice !== undefined && { help: advice }),
    ...(advice === undefined &&
      meant !== undefined && {
        help: `did you mean \`${meant}\`?`,
        replacement: { text: meant },
      }),
  });
  skipBroken(cursor);
  return [];
}

function refuseToken(cursor: Cursor, before: Item | undefined): void {
  if (cursor.hasBraces && cursor.textOf(cursor.token) === "}") {
    cursor.advance();
    return;
  }
  const isMember = cursor.is("-", "+");
  const message = isMember
    ? `${found(cursor)} outside a declaration`
    : `unexpected ${found(cursor)}`;
  const help =
    before?.kind === "error"
      ? errorData
      : "add a declaration above it, such as `struct Name` or `service Name`";
  const detail = isMember ? { help } : {};
  cursor.error("unexpected-token", cursor.token, message, detail);
  skipBroken(cursor);
}

/** Skips a broken line and what seems to belong to it. */
function skipBroken(cursor: Cursor): void {
  cursor.takeAnnotations();
  do {
    cursor.skipLine();
    cursor.skipNewlines();
  } while (!cursor.is("end") && !beginsItem(cursor));
}

function beginsItem(cursor: Cursor): boolean {
  if (!cursor.is("word")) return false;
  const { start } = cursor.token;
  const isIndented = start > cursor.lines.startOf(cursor.lines.lineOf(start));
  return !isIndented || isKeyword(cursor);
}
