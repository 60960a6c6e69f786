import { escapeUnits, invisible } from "../../emitter/invisible.js";

/**
 * Only this file quotes text from a schema for generated TypeScript. Whatever
 * the text contains, the result is a string, a property name, a comment or a
 * pattern.
 */

/** Text that needs no escaping in a literal or a comment. */
const harmless = /^[\w !#$%&'`()+,./:;=?[\]^{}|~-]*$/u;

/** Text that needs no escaping in a template literal. */
const harmlessInTemplate = /^[\w !"#%&'()+,./:;=?[\]^{}|~-]*$/u;

const identifier = /^[A-Za-z_$][A-Za-z0-9_$]*$/u;

/** Identifiers in any script, but only in the Basic Multilingual Plane. */
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
 * Prints a string literal like Prettier: in double quotes, unless single quotes
 * need fewer escapes.
 *
 * The result is safe in TypeScript and in an inline script, e.g.
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

/** Escapes text for a template literal. */
export function quoteTemplate(text: string): string {
  if (harmlessInTemplate.test(text)) return text;
  const escaped = text
    .replaceAll("\\", "\\\\")
    .replaceAll("`", "\\`")
    .replaceAll("${", "\\${")
    .replace(/<(?=\/script|!--)/giu, "\\x3C");
  return escapeInvisible(escaped);
}

/** Prints a property name, in quotes only if it needs them. */
export function quoteProperty(name: string): string {
  const isBare = identifier.test(name) || bareProperty.test(name);
  return isBare ? name : quoteString(name);
}

/** A number in the form in which Prettier removes its quotes. */
const plainNumber = /^(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/u;

/**
 * Prints a key of an object literal. `__proto__` must be computed. Prettier
 * removes the quotes of a number, but not in TypeScript.
 */
export function quoteKey(name: string, hasTypes = true): string {
  if (identifier.test(name))
    return name === "__proto__" ? '["__proto__"]' : name;
  const isNumber = plainNumber.test(name) && `${Number(name)}` === name;
  return isNumber && !hasTypes ? name : quoteProperty(name);
}

/** Prints access to a property: `.name` or `["other name"]`. */
export function quoteAccess(name: string): string {
  return identifier.test(name) ? `.${name}` : quoteIndex(name);
}

/** Prints an access to a property of a record: `["name"]`. */
export function quoteIndex(name: string): string {
  return `[${quoteString(name)}]`;
}

/**
 * Prints an exact number literal. Bigints beyond ±(2^53-1) become `bigint`
 * literals.
 */
export function quoteNumber(value: number | bigint): string {
  if (typeof value === "number") return `${value}`.replace("e+", "e");
  return Number.isSafeInteger(Number(value)) ? `${value}` : `${value}n`;
}

/**
 * Escapes lines for a block comment: as {@link quoteTaggedComment} does, and
 * tags, so that tools read them as text.
 */
export function quoteComment(lines: readonly string[]): readonly string[] {
  return quoteTaggedComment(lines).map((line) =>
    line.includes("@")
      ? line.replace(searched, "&#64;").replace(tag, "\\@")
      : line,
  );
}

/**
 * The `@` of tags that tools search for anywhere in a comment, e.g. TypeScript
 * for `@internal` and bundlers for `@license`. A backslash would not hide them.
 */
const searched = /@(?=internal|license|preserve|cc_on|jsx|vite-ignore|__)/giu;

/** The `@` of other tags, such as `@deprecated` and `{@link Name}`. */
const tag = /(?<![\w\\])@(?=[a-z])/giu;

/**
 * Escapes lines for a block comment that may contain tags: ends of comments and
 * of scripts, invisible characters, and compiler directives.
 */
export function quoteTaggedComment(
  lines: readonly string[],
): readonly string[] {
  return lines.map((line) => {
    if (harmless.test(line)) return line.trimEnd();
    return escapeInvisible(line.replaceAll("\t", " "))
      .replaceAll("*/", "*\\/")
      .replace(/<\/(?=script)/giu, "<\\/")
      .replace(/@(?=ts-)/gu, "\\@")
      .trimEnd();
  });
}

/** Prints a regular expression literal such as `/^0x[0-9a-f]+$/u`. */
export function quoteRegExp(pattern: string): string {
  // `source` escapes slashes and line breaks for use in a literal.
  const source = new RegExp(pattern, "u").source.replace(
    /<\/(?=script)/giu,
    "<\\/",
  );
  // In a pattern, \b is a word boundary.
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
