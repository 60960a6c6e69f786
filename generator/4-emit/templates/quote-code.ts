import { invisible, toWellFormed } from "../emitter/invisible.js";
import type { StringRules } from "../names/name-rules.js";

/** Prints a string of Python, in the quotes that its formatters prefer. */
export function pythonString(text: string): string {
  const count = (quote: string): number => text.split(quote).length;
  const quote = count('"') > count("'") ? "'" : '"';
  return quoteString(text, quote, escapePoint);
}

/** Prints an interpreted string of Go. */
export function goString(text: string): string {
  return quoteString(text, '"', escapePoint);
}

/** Prints a string of the language of a template set. */
export function stringBy(
  { digits, escapes, quote, unicode }: StringRules,
  text: string,
): string {
  const escapeUnit = (unit: string): string => {
    const code = (unit.codePointAt(0) ?? 0).toString(16);
    return unicode.replace("{}", () => code.padStart(digits, "0"));
  };
  const escape = (letter: string): string =>
    (digits === 4 ? letter.split("") : [letter]).map(escapeUnit).join("");
  const letters = Array.from(toWellFormed(text), (letter) =>
    Object.hasOwn(escapes, letter)
      ? escapes[letter]
      : letter.replace(invisible, escape),
  );
  return quote + letters.join("") + quote;
}

function quoteString(
  text: string,
  quote: string,
  escape: (letter: string) => string,
): string {
  const escaped = toWellFormed(text)
    .replaceAll("\\", "\\\\")
    .replaceAll(quote, `\\${quote}`)
    .replaceAll("\n", "\\n")
    .replaceAll("\r", "\\r")
    .replaceAll("\t", "\\t")
    .replace(invisible, escape);
  return quote + escaped + quote;
}

/** Escapes a character, e.g. as `\u2028` or `\U000e0001`. */
function escapePoint(letter: string): string {
  const code = letter.charCodeAt(0) === letter.codePointAt(0);
  const digits = (letter.codePointAt(0) ?? 0).toString(16);
  return code
    ? `\\u${digits.padStart(4, "0")}`
    : `\\U${digits.padStart(8, "0")}`;
}

/** Prints a line of a docstring of Python, between triple quotes. */
export function docstringLine(text: string): string {
  return plainLine(text).replace(/\\|"(?=""|$)/gu, "\\$&");
}

/** Prints a line of a comment that `*` and `/` end. */
export function blockCommentLine(text: string): string {
  return plainLine(text)
    .replace(/\*(?=\/)|\/(?=\*)/gu, "$& ")
    .replace(/\*$/u, "* ")
    .trimEnd();
}

/** Replaces what is invisible or ends a line. */
function plainLine(text: string): string {
  return text.replace(invisible, " ").trimEnd();
}
