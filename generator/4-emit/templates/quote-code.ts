import { invisible, toWellFormed } from "../emitter/invisible.js";

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

/** Prints a string of Kotlin. */
export function kotlinString(text: string): string {
  const escaped = quoteString(text, '"', (letter) =>
    letter.split("").map(escapePoint).join(""),
  );
  return escaped.replaceAll("$", "\\$");
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
