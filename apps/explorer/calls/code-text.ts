import { printFlat, type JsonNode } from "./json-text.js";

/** A printed member of an object. */
export type PrintedMember = readonly [key: string, value: string];

/** The syntax of literals in a language. */
export interface CodeStyle {
  /** One level of indentation. */
  readonly indent: string;
  readonly key: (name: string) => string;
  readonly string: (text: string) => string;
  /** Converts a JSON number, `true`, `false` or `null`. */
  readonly literal: (text: string) => string;
}

/** JavaScript and TypeScript. */
export const javascriptStyle: CodeStyle = {
  indent: "  ",
  key: quoteKey,
  string: quoteString,
  literal: (text) => text,
};

/** Prints JSON as a literal in a language. */
export function printLiteral(node: JsonNode, style: CodeStyle): string {
  switch (node.kind) {
    case "literal":
      return style.literal(node.text);
    case "string":
      return style.string(node.value);
    case "list":
      return brackets(
        node.items.map((item) => printLiteral(item, style)),
        style.indent,
      );
    case "object":
      return braces(
        node.entries.map(([key, value]) => [
          style.key(key),
          printLiteral(value, style),
        ]),
        style.indent,
      );
  }
}

/**
 * Whether a language with 64-bit floats can represent all numbers in a value:
 * integers exactly, and other numbers approximately. `hasIntegers` means that
 * the language also has integers of any size.
 */
export function isExact(node: JsonNode, hasIntegers: boolean): boolean {
  switch (node.kind) {
    case "string":
      return true;
    case "list":
      return node.items.every((item) => isExact(item, hasIntegers));
    case "object":
      return node.entries.every(([, value]) => isExact(value, hasIntegers));
    case "literal": {
      if (!/^-?\d/u.test(node.text)) return true;
      const number = Number(node.text);
      if (/[.eE]/u.test(node.text)) return Number.isFinite(number);
      return hasIntegers || Number.isSafeInteger(number);
    }
  }
}

/** Prints JSON on one line, with invisible characters escaped. */
export function printVisibleJson(node: JsonNode): string {
  return escapeInvisible(printFlat(node), escapeUnits);
}

const invisible = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Escapes invisible characters. `escape` escapes a single character. */
export function escapeInvisible(
  text: string,
  escape: (character: string) => string,
): string {
  return text.replace(invisible, escape);
}

/** Returns `\uXXXX` for each UTF-16 code unit, as in JSON. */
export function escapeUnits(character: string): string {
  return Array.from({ length: character.length }, (_, index) => {
    const unit = character.charCodeAt(index).toString(16);
    return `\\u${unit.padStart(4, "0")}`;
  }).join("");
}

/**
 * Prints a key of an object literal. A plain `__proto__` would set the
 * prototype.
 */
export function quoteKey(name: string): string {
  if (name === "__proto__") return '["__proto__"]';
  return /^[A-Za-z_$][\w$]*$/u.test(name) ? name : quoteString(name);
}

/** Prints a string literal with invisible characters escaped. */
export function quoteString(text: string): string {
  return escapeInvisible(
    JSON.stringify(text),
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}

/** Prints members in braces, with each on its own line. */
export function braces(
  members: readonly PrintedMember[],
  step = javascriptStyle.indent,
): string {
  if (members.length === 0) return "{}";
  const lines = members.map(([key, value]) => `${key}: ${value},`);
  return `{\n${indent(lines.join("\n"), step)}\n}`;
}

/** Prints items in brackets, on one line if they are short. */
export function brackets(
  items: readonly string[],
  step = javascriptStyle.indent,
): string {
  const flat = `[${items.join(", ")}]`;
  if (flat.length <= 60 && !flat.includes("\n")) return flat;
  return `[\n${indent(items.map((item) => `${item},`).join("\n"), step)}\n]`;
}

/** Indents all lines. */
export function indent(text: string, step = javascriptStyle.indent): string {
  return text.replace(/^(?=.)/gmu, step);
}
