import type {
  AliasDeclaration,
  EnumDeclaration,
  EnumMember,
  Field,
  StructDeclaration,
  Typed,
  TypeExpression,
  Word,
} from "./ast.js";
import type { Cursor } from "./cursor.js";
import {
  endLine,
  endMember,
  expectColon,
  expectName,
  refuseHere,
  refuseSpace,
  restOfLine,
  skipRest,
  warnNotPortable,
} from "./expect.js";
import { adviseAlternatives } from "./foreign-words.js";
import { parseMembers, parseMetadata } from "./members.js";
import { parseType } from "./type-expression.js";
import { endOfRun, parseLiteral } from "./values.js";

/**
 * Reads `struct Name` and its fields. The cursor is at the keyword. Returns
 * null if there is no name.
 */
export function parseStruct(cursor: Cursor): StructDeclaration | null {
  const { start, annotations, above } = cursor.begin();
  const name = expectName(cursor, "the name of the struct");
  if (name === null) cursor.skipLine();
  else endMember(cursor, "the name of the struct");
  const fields = parseMembers(cursor, () => parseField(cursor));
  if (name === null) return null;
  const span = { start, end: fields.at(-1)?.span.end ?? name.span.end };
  const docs = cursor.takeTrailing(name.span.end, above);
  return { kind: "struct", span, docs, annotations, name, fields };
}

function parseField(cursor: Cursor): Field | null {
  const { start, annotations, above } = cursor.begin();
  const head = parseFieldHead(cursor, "the name of a field");
  const headEnd = cursor.previousEnd;
  if (head === null) cursor.skipLine();
  // Read the metadata even if the field is broken, because it may be valid.
  const metadata = parseMetadata(cursor);
  const end = metadata.at(-1)?.span.end ?? headEnd;
  endMember(cursor, "the type");
  if (head === null) return null;
  const docs = cursor.takeTrailing(headEnd, above);
  const span = { start, end };
  // Naming each property is the fastest way to create the object.
  const { name, isOptional, type } = head;
  return {
    kind: "field",
    span,
    docs,
    annotations,
    name,
    isOptional,
    type,
    metadata,
  };
}

/**
 * Reads `name?: T` of a field or an argument. `helpOfAll` is the help if the
 * type is missing. Returns null after a diagnostic.
 */
export function parseFieldHead(
  cursor: Cursor,
  what: string,
  helpOfAll?: string,
): Typed | null {
  const name = expectName(cursor, what);
  if (name === null) return null;
  const isOptional = cursor.is("?");
  if (isOptional) {
    refuseSpace(cursor, "before `?`");
    cursor.advance();
  }
  if (!expectColon(cursor, name, helpOfAll)) return null;
  const type = parseType(cursor);
  return type && { name, isOptional, type };
}

/**
 * Reads `type Name: T` and its metadata. The cursor is at the keyword. Returns
 * null if there is no name.
 */
export function parseAlias(cursor: Cursor): AliasDeclaration | null {
  const { start, annotations, above } = cursor.begin();
  const head = parseAliasHead(cursor);
  const headEnd = cursor.previousEnd;
  if (head === null || isMissing(head.type)) skipRest(cursor);
  const metadata = parseMetadata(cursor);
  const end = metadata.at(-1)?.span.end ?? headEnd;
  endMember(cursor, "the type");
  if (head === null) return null;
  const docs = cursor.takeTrailing(headEnd, above);
  const span = { start, end };
  return { kind: "alias", span, docs, annotations, ...head, metadata };
}

function parseAliasHead(
  cursor: Cursor,
): Pick<AliasDeclaration, "name" | "type"> | null {
  const name = expectName(cursor, "the name of the type");
  if (name === null) return null;
  const help =
    adviseAlternatives(restOfLine(cursor)) ??
    "write `type Name: type`, or `struct Name` for a type with fields";
  const type = expectColon(cursor, name, help) ? parseType(cursor) : null;
  return { name, type: type ?? missingType(name) };
}

/** Returns a placeholder for a type that could not be parsed. */
function missingType({ span }: Word): TypeExpression {
  return { kind: "name", span, name: { text: "", span, isQuoted: false } };
}

function isMissing(type: TypeExpression): boolean {
  return type.kind === "name" && type.name.text === "";
}

/**
 * Reads `enum Name: base` and its members. The cursor is at the keyword.
 * Returns null if there is no name.
 */
export function parseEnum(cursor: Cursor): EnumDeclaration | null {
  const { start, annotations, above } = cursor.begin();
  const head = parseEnumHead(cursor);
  if (head === null || head.base.text === "") skipRest(cursor);
  else endLine(cursor, "the type of the enum");
  const members = parseMembers(cursor, () => parseEnumMember(cursor));
  if (head === null) return null;
  const { end } = head.base.span;
  const span = { start, end: members.at(-1)?.span.end ?? end };
  const docs = cursor.takeTrailing(end, above);
  return { kind: "enum", span, docs, annotations, ...head, members };
}

function parseEnumHead(
  cursor: Cursor,
): Pick<EnumDeclaration, "name" | "base"> | null {
  const name = expectName(cursor, "the name of the enum");
  if (name === null) return null;
  const help = `write \`enum ${name.text}: string\`, or an integer type such as \`uint32\``;
  // The enum is declared even if its type is broken.
  const base = { text: "", span: name.span, isQuoted: false };
  if (!expectColon(cursor, name, help)) return { name, base };
  const type = parseType(cursor);
  if (type === null) return { name, base };
  if (type.kind === "name") return { name, base: type.name };
  const message = "the type of an enum must be an integer type or `string`";
  cursor.error("unexpected-token", type.span, message);
  return { name, base };
}

function parseEnumMember(cursor: Cursor): EnumMember | null {
  refuseAnnotations(cursor);
  const { start } = cursor.token;
  const above = cursor.comments.takeAbove(start, []);
  cursor.advance();
  const name = expectName(cursor, "the name of a member");
  const value = name && parseEnumValue(cursor);
  const span = cursor.spanFrom(start);
  if (name === null || value === null) {
    cursor.skipLine();
    return null;
  }
  endMember(cursor, "the member");
  const docs = cursor.takeTrailing(span.end, above);
  const member = { kind: "enum-member", span, docs, name } as const;
  return value === undefined ? member : { ...member, value };
}

/** Returns undefined if there is no value, and null after a diagnostic. */
function parseEnumValue(cursor: Cursor): Word | undefined | null {
  if (!cursor.is("=")) return undefined;
  cursor.advance();
  if (!cursor.is("-")) {
    const value = parseLiteral(cursor, "the value of the member");
    if (value?.text === "") warnEmptyValue(cursor, value);
    return value;
  }
  const { start } = cursor.token;
  const span = { start, end: endOfRun(cursor, start) };
  const text = cursor.textOf(span);
  if (!/^-\w+$/.test(text)) {
    return refuseHere(cursor, "missing-value", "the value of the member");
  }
  cursor.moveTo(span.end);
  warnNotPortable(cursor, span, "a negative value without quotes", {
    help: `write \`"${text}"\``,
    replacement: { text: `"${text}"` },
  });
  return { text, span, isQuoted: true };
}

function warnEmptyValue(cursor: Cursor, { span }: Word): void {
  warnNotPortable(cursor, span, "the value of a member is empty", {
    help: "use an alias of `string` that lists its values, e.g. `+ enum = ''|a`",
  });
}

/** Warns about annotations before something that cannot have any. */
export function refuseAnnotations(cursor: Cursor): void {
  for (const { name, span } of cursor.takeAnnotations()) {
    const message = `the annotation \`@${name.text}\` is not attached to a declaration`;
    cursor.warn("dangling-annotation", span, message, {
      notes: [
        "annotations go before methods, fields, types, errors and services",
      ],
      help: "remove it, or move it before the declaration that it applies to",
      replacement: { text: "" },
    });
  }
}
