import { escapeUnits, invisible } from "../../emitter/invisible.js";

/**
 * The one place where text of a schema is quoted for the context that it is
 * put into. Whatever the text says, it stays a string, a property name, a
 * comment or a pattern.
 */

/** Nothing in it needs care, whether in a literal or in a comment. */
const harmless = /^[\w !#$%&'`()+,./:;=?[\]^{}|~-]*$/u;

/** The same between backticks. */
const harmlessInTemplate = /^[\w !"#%&'()+,./:;=?[\]^{}|~-]*$/u;

const identifier = /^[A-Za-z_$][A-Za-z0-9_$]*$/u;

/** Letters of all scripts, but none beyond the basic plane. */
const bareProperty =
  /^(?!.*[\u{10000}-\u{10ffff}])[$_\p{ID_Start}][$\p{ID_Continue}]*$/u;

const shortEscapes: ReadonlyMap<string, string> = new Map([
  ["\b", "\\b"],
  ["\t", "\\t"],
  ["\n", "\\n"],
  ["\v", "\\v"],
  ["\f", "\\f"],
  ["\r", "\\r"],
]);

/**
 * A string literal, as Prettier prints it: in double quotes unless single
 * ones need fewer escapes.
 *
 * Output: text that is inert in TypeScript and in an inline script, e.g.
 * `"\x3C/script>"`.
 */
export function quoteString(text: string): string {
  if (harmless.test(text)) return `"${text}"`;
  const quote = count(text, '"') > count(text, "'") ? "'" : '"';
  const escaped = text
    .replaceAll("\\", "\\\\")
    .replaceAll(quote, `\\${quote}`)
    .replace(/<(?=\/script|!--)/giu, "\\x3C");
  return quote + escapeInvisible(escaped) + quote;
}

/** Text inside of a template literal, between its backticks. */
export function quoteTemplate(text: string): string {
  if (harmlessInTemplate.test(text)) return text;
  const escaped = text
    .replaceAll("\\", "\\\\")
    .replaceAll("`", "\\`")
    .replaceAll("${", "\\${")
    .replace(/<(?=\/script|!--)/giu, "\\x3C");
  return escapeInvisible(escaped);
}

/** A property name: bare where that is possible, else a string literal. */
export function quoteProperty(name: string): string {
  return bareProperty.test(name) ? name : quoteString(name);
}

/**
 * A key of an object literal. `__proto__` is computed, because otherwise it
 * would set the prototype.
 */
export function quoteKey(name: string): string {
  return name === "__proto__" ? '["__proto__"]' : quoteProperty(name);
}

/** Access to a property of a typed value: `.name`, or `["other name"]`. */
export function quoteAccess(name: string): string {
  return identifier.test(name) ? `.${name}` : quoteIndex(name);
}

/** Access to a property of a record: `["name"]`. */
export function quoteIndex(name: string): string {
  return `[${quoteString(name)}]`;
}

/** A literal without rounding: beyond 2^53-1 an integer is a `bigint`. */
export function quoteNumber(value: number | bigint): string {
  if (typeof value === "number") return `${value}`.replace("e+", "e");
  return Number.isSafeInteger(Number(value)) ? `${value}` : `${value}n`;
}

/**
 * Lines for a block comment. Ends of comments and of scripts are defused,
 * invisible characters shown, and compiler directives made plain text.
 *
 * Output: as many lines as the input has, each without a line break.
 */
export function quoteComment(lines: readonly string[]): readonly string[] {
  return lines.map((line) => {
    if (harmless.test(line)) return line.trimEnd();
    return escapeInvisible(line.replaceAll("\t", " "))
      .replaceAll("*/", "*\\/")
      .replace(/<\/(?=script)/giu, "<\\/")
      .replace(/@(?=ts-)/gu, "\\@")
      .trimEnd();
  });
}

/**
 * A regular expression literal with the flag `u`.
 *
 * Input: the source of a valid pattern. Output: e.g. `/^0x[0-9a-f]+$/u`.
 */
export function quoteRegExp(pattern: string): string {
  // `source` escapes slashes and line breaks so that it can stand in a literal.
  const source = new RegExp(pattern, "u").source.replace(
    /<\/(?=script)/giu,
    "<\\/",
  );
  // In a pattern, \b is the boundary of a word.
  return `/${escapeInvisible(source.replaceAll("\b", "\\x08"))}/u`;
}

function escapeInvisible(text: string): string {
  return text.replace(
    invisible,
    (character) =>
      shortEscapes.get(character) ??
      escapeUnits(character).replace(/^\\u00/u, "\\x"),
  );
}

function count(text: string, part: string): number {
  return text.split(part).length - 1;
}
