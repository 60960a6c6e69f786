import {
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  Lexer,
  parseAllDocuments,
  type Node,
  type YAMLMap,
} from "yaml";
import type { Span } from "../../source/source.js";
import type { FormEntry, FormNode, FormText } from "./form-node.js";
import type { Reporter } from "../reporter.js";

/** How deep a text can be. Deep input overflows the parser's stack. */
export interface YamlLimits {
  /** Maximum number of brackets around a value. */
  readonly maxDepth: number;
  /** Matches a line that is indented too far. */
  readonly deepBlock: RegExp;
}

/** The form has at most ten levels. */
const limits: YamlLimits = { maxDepth: 100, deepBlock: /^[ \t?:-]{200}/m };

/** Why a text is not a YAML document, and where. */
export interface YamlFault {
  readonly code: "deep-nesting" | "invalid-yaml";
  readonly message: string;
  readonly span: Span;
}

/**
 * Parses YAML or JSON into plain nodes. If the text has a syntax error or is
 * nested too deeply, reports this and returns null.
 */
export function readYaml(reporter: Reporter): FormNode | null {
  const contents = parseYaml(reporter.source.text, limits);
  if (contents === null) return emptyNode;
  if (isNode(contents)) return toNode(reporter, contents);
  const { code, message, span } = contents;
  const isSyntax = code === "invalid-yaml";
  reporter.error(code, span, isSyntax ? `syntax error: ${message}` : message);
  return null;
}

/** Parses a text. Returns null if it is empty. Does not check for equal keys. */
export function parseYaml(
  text: string,
  { deepBlock, maxDepth }: YamlLimits,
): Node | YamlFault | null {
  if (deepBlock.test(text) || hasMoreBrackets(text, maxDepth)) {
    const message = "the document is nested too deeply";
    return { code: "deep-nesting", message, span: { start: 0, end: 0 } };
  }
  const [first, second] = parseAllDocuments(text, {
    prettyErrors: false,
    // The library's check takes quadratic time.
    uniqueKeys: false,
    logLevel: "silent",
  });
  const fault = first?.errors[0];
  if (fault !== undefined) return toFault(text, fault.pos, fault.message);
  if (second !== undefined) {
    return toFault(text, second.range, "a second document begins here");
  }
  return first?.contents ?? null;
}

const emptyNode: FormNode = { kind: "null", span: { start: 0, end: 0 } };

function hasMoreBrackets(text: string, maxDepth: number): boolean {
  if (!/[[{]/.test(text)) return false;
  let depth = 0;
  for (const lexeme of new Lexer().lex(text)) {
    if (lexeme === "[" || lexeme === "{") depth++;
    else if (lexeme === "]" || lexeme === "}") depth--;
    if (depth > maxDepth) return true;
  }
  return false;
}

function toFault(
  { length }: string,
  [start, end]: readonly [number, number, ...unknown[]],
  text: string,
): YamlFault {
  const last = Math.min(end, start + 1, length);
  const span = { start: Math.min(start, length), end: last };
  const reason = text.charAt(0).toLowerCase() + text.slice(1);
  const [firstLine = ""] = reason.split("\n");
  const message = firstLine.replace(/[.:]+$/, "");
  return { code: "invalid-yaml", message, span };
}

function toNode(reporter: Reporter, node: Node): FormNode {
  const span = spanOf(node);
  if (isAlias(node) || node.anchor !== undefined) {
    const message =
      "the YAML form of a schema cannot contain anchors or aliases";
    reporter.error("invalid-form", span, message, {
      help: "repeat the value",
    });
    if (isAlias(node)) return { kind: "null", span };
  }
  if (isMap(node)) return readMap(reporter, node, span);
  if (isSeq(node)) {
    const items = node.items.map((item) => toChild(reporter, item, span));
    return { kind: "list", span, items };
  }
  return isScalar(node)
    ? toText(reporter, node.value, span)
    : { kind: "null", span };
}

function toChild(reporter: Reporter, item: unknown, around: Span): FormNode {
  const isValue = isMap(item) || isSeq(item) || isScalar(item) || isAlias(item);
  const place = { start: around.start, end: around.start };
  return isValue ? toNode(reporter, item) : { kind: "null", span: place };
}

function readMap(reporter: Reporter, map: YAMLMap, span: Span): FormNode {
  const entries = new Map<string, FormEntry>();
  for (const pair of map.items) {
    const key = toChild(reporter, pair.key, span);
    const value = toChild(reporter, pair.value, key.span);
    if (key.kind !== "text") {
      reporter.error("invalid-form", key.span, "a key must be a string");
    } else if (entries.has(key.text)) {
      const message = `key \`${key.text}\` is given twice`;
      reporter.error("invalid-form", key.span, message, {
        help: "remove one of them",
      });
    } else entries.set(key.text, { key, value });
  }
  return { kind: "map", span, entries };
}

function toText(
  reporter: Reporter,
  value: unknown,
  outer: Span,
): FormText | FormNode {
  if (value === null || value === undefined) {
    return { kind: "null", span: outer };
  }
  const written = reporter.source.text.slice(outer.start, outer.end);
  if (typeof value !== "string") {
    const type = typeof value === "boolean" ? "boolean" : "number";
    // Keep the text as written: `1.0` is a version, not the number 1.
    return { kind: "text", span: outer, text: written, type, isVerbatim: true };
  }
  if (value.includes("\0")) {
    reporter.error(
      "invalid-form",
      outer,
      "a string cannot contain a NUL character",
    );
  }
  const text = value.replaceAll("\0", "");
  const inner = { start: outer.start + 1, end: outer.end - 1 };
  const isBare = written === text;
  const isQuoted = /^["']/.test(written) && written.slice(1, -1) === text;
  return {
    kind: "text",
    span: isQuoted ? inner : outer,
    text,
    type: "string",
    isVerbatim: isBare || isQuoted,
  };
}

/** Returns where a node is. */
export function spanOf(node: Node): Span {
  const [start, end] = node.range ?? [0, 0];
  return { start, end };
}
