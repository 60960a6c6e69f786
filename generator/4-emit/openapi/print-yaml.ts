import {
  isList,
  type JsonObject,
  type JsonValue,
} from "../emitter/json-value.js";
import { invisible, toWellFormed } from "../emitter/invisible.js";

/**
 * Prints an object as YAML that all parsers, including YAML 1.1 parsers, read
 * the same way.
 */
export function printYaml(value: JsonObject, comment: string): string {
  const line = toWellFormed(comment)
    .replaceAll("\n", " ")
    .replace(invisible, escape);
  return `# ${line}\n\n${printMap(value, "\n").trimStart()}\n`;
}

/** Prints a value after a space or an indented line break. */
function printValue(value: JsonValue, lineBreak: string): string {
  if (typeof value === "string") return ` ${printText(value, lineBreak)}`;
  if (typeof value !== "object" || value === null)
    return ` ${printNumber(value)}`;
  const inner = `${lineBreak}  `;
  return isList(value) ? printList(value, inner) : printMap(value, inner);
}

function printMap(map: JsonObject, lineBreak: string): string {
  let text = "";
  for (const [key, member] of Object.entries(map)) {
    if (member === undefined) continue;
    const name = quoteUnlessPlain(key);
    // Parsers reject longer keys without a question mark.
    const start = name.length > 1000 ? `? ${name}${lineBreak}` : name;
    text += `${lineBreak}${start}:${printValue(member, lineBreak)}`;
  }
  return text === "" ? " {}" : text;
}

function printList(list: readonly JsonValue[], lineBreak: string): string {
  const items = list.map((item) => {
    const text = printValue(item, lineBreak);
    // The first member of an object follows the dash on the same line.
    return `${lineBreak}- ${text.trimStart()}`;
  });
  return items.length === 0 ? " []" : items.join("");
}

/** Prints a number. YAML 1.1 requires a decimal point before an exponent. */
function printNumber(
  value: bigint | boolean | number | null | undefined,
): string {
  return String(value).replace(/^(-?\d+)e/u, "$1.0e");
}

function printText(text: string, lineBreak: string): string {
  const lines = text.split("\n");
  const isBlock =
    lines.length > 1 &&
    /^[^\s]/u.test(text) &&
    !text.endsWith("\n") &&
    lines.every((line) => line.search(invisible) === -1);
  if (!isBlock) return quoteUnlessPlain(text);
  const inner = `${lineBreak}  `;
  return `|-${lines.map((line) => (line === "" ? "\n" : inner + line)).join("")}`;
}

/** Words that some YAML parsers do not read as text. */
const words = /^(?:y|n|yes|no|on|off|true|false|null|nan|inf)$/iu;

const plain = /^[A-Za-z/$][\w,.;'()/{}$-]*(?: +[\w,.;'()/{}$-]+)*$/u;

function quoteUnlessPlain(text: string): string {
  const isWord = text.length < 6 && words.test(text);
  if (!isWord && plain.test(text)) return text;
  // YAML accepts JSON strings, except for escaped surrogate pairs.
  return JSON.stringify(toWellFormed(text)).replace(invisible, escape);
}

function escape(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const digits = code.toString(16);
  return code > 0xffff
    ? `\\U${digits.padStart(8, "0")}`
    : `\\u${digits.padStart(4, "0")}`;
}
