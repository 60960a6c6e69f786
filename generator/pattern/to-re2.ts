import { ESCAPE, parsePattern } from "./parse-pattern.js";
import type { Pattern } from "./pattern.js";

/** Engines reject or slow down at higher counts. */
const maxCount = 1_000;

/**
 * Translates a regular expression to the syntax of RE2, which the engines of Go
 * and Rust share, so that it accepts the same strings.
 *
 * Input: the source of an expression that is valid with the `u` flag. Returns
 * null if the engines cannot represent it: for lookarounds, references to
 * groups, `\b`, lone surrogates, counts above 1,000, and properties with long
 * names.
 */
export function toRe2(source: string): string | null {
  if (/(?<!\\)(?:\\\\)*\\(?:[1-9]|k<)/u.test(source)) return null;
  const pattern = parsePattern(source);
  return pattern === null ? null : printChoice(pattern, maxCount);
}

function printChoice(pattern: Pattern, most: number): string | null {
  return pattern.kind === "choice"
    ? join(
        pattern.items.map((item) => print(item, most)),
        "|",
      )
    : print(pattern, most);
}

/**
 * Prints a pattern that is part of a sequence.
 *
 * Input: a pattern, and the highest count of repetitions inside of it.
 */
function print(pattern: Pattern, most: number): string | null {
  switch (pattern.kind) {
    case "character":
      return printSet(pattern.text);
    case "sequence":
      return join(
        pattern.items.map((item) => print(item, most)),
        "",
      );
    case "choice":
      return group(printChoice(pattern, most));
    case "repetition": {
      const { item, max, min } = pattern;
      const count = Number.isFinite(max) ? max : min;
      if (count > most) return null;
      const once = print(item, most / Math.max(count, 1));
      if (once === null) return null;
      const isSingle = item.kind === "character" || item.kind === "choice";
      return (isSingle ? once : `(?:${once})`) + printCount(min, max);
    }
    case "boundary":
      if (pattern.text === "^") return "\\A";
      return pattern.text === "$" ? "\\z" : null;
    case "look":
      return null;
  }
}

function printCount(min: number, max: number): string {
  if (max === Infinity) return min > 1 ? `{${min},}` : min === 1 ? "+" : "*";
  if (min === max) return `{${min}}`;
  return min === 0 && max === 1 ? "?" : `{${min},${max}}`;
}

function group(text: string | null): string | null {
  return text === null ? null : `(?:${text})`;
}

function join(
  parts: readonly (string | null)[],
  separator: string,
): string | null {
  return parts.includes(null) ? null : parts.join(separator);
}

/** What the letters that stand for a set contain, inside of brackets. */
const sets: Readonly<Record<string, string>> = {
  d: "0-9",
  w: "0-9A-Za-z_",
  s: "\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}",
};

const anything = "[\\x{0}-\\x{10ffff}]";

/** Prints the set of characters that a part such as `[a-z]` or `\d` matches. */
function printSet(text: string): string | null {
  if (text === ".") return "[^\\n\\r\\x{2028}\\x{2029}]";
  if (!text.startsWith("[")) {
    const negated = sets[text.slice(1).toLowerCase()];
    if (/^\\[DWS]$/u.test(text) && negated !== undefined) {
      return `[^${negated}]`;
    }
    const item = printItem(text);
    if (item === "\\-") return "-";
    return item === null || !/^\\[dws]$/u.test(text) ? item : `[${item}]`;
  }
  const isNegated = text.startsWith("[^");
  const inner = text.slice(isNegated ? 2 : 1, -1);
  if (inner === "") return isNegated ? anything : null;
  const printed: (string | null)[] = [];
  const items = inner.match(ITEM) ?? [];
  for (let index = 0; index < items.length; index++) {
    const [item = "", dash, end] = items.slice(index, index + 3);
    printed.push(printItem(item));
    if (dash !== "-" || end === undefined) continue;
    printed.push("-", printItem(end));
    index += 2;
  }
  const all = join(printed, "");
  return all === null ? null : `[${isNegated ? "^" : ""}${all}]`;
}

const ITEM = new RegExp(`${ESCAPE.source}|[^]`, "gu");

/** Prints one character, or a set that can be a part of another set. */
function printItem(text: string): string | null {
  const property = /^\\([pP])\{(?:(?:Script|sc)=)?([^=}]+)\}$/u.exec(text);
  if (property) {
    const [, letter = "p", name = ""] = property;
    const isScript = text.includes("=");
    const isKnown = isScript
      ? /^[A-Z][a-z]+$/u.test(name)
      : /^(?:C[cfno]?|L[lmotu]?|M[cen]?|N[dlo]?|P[cdefios]?|S[ckmo]?|Z[lps]?)$/u.test(
          name,
        );
    return isKnown ? `\\${letter}{${name}}` : null;
  }
  if (/^\\[pPDWSbB]/u.test(text) && text !== "\\b") return null;
  const set = /^\\[dws]$/u.test(text) ? sets[text.slice(1)] : undefined;
  if (set !== undefined) return set;
  const code = codeOf(text);
  if (code >= 0xd800 && code <= 0xdfff) return null;
  const character = String.fromCodePoint(code);
  if (/^[A-Za-z0-9_<>"'`,:;!%@/= ]$/u.test(character)) return character;
  return code > 0x20 && code < 0x7f
    ? `\\${character}`
    : `\\x{${code.toString(16)}}`;
}

const controls: Readonly<Record<string, number>> = {
  "\\0": 0,
  "\\b": 8,
  "\\t": 9,
  "\\n": 10,
  "\\v": 11,
  "\\f": 12,
  "\\r": 13,
};

/** Returns the code point of a character, which may be escaped. */
function codeOf(text: string): number {
  const control = controls[text];
  if (control !== undefined) return control;
  if (!text.startsWith("\\")) return text.codePointAt(0) ?? 0;
  const letter = /^\\c([A-Za-z])$/u.exec(text)?.[1];
  if (letter !== undefined) return letter.charCodeAt(0) % 32;
  const units = [...text.matchAll(/\\(?:u\{?|x)([0-9a-fA-F]+)/gu)].map(
    ([, digits = "0"]) => Number.parseInt(digits, 16),
  );
  const [first, second] = units;
  if (first === undefined) return text.codePointAt(1) ?? 0;
  return second === undefined
    ? first
    : (String.fromCharCode(first, second).codePointAt(0) ?? 0);
}
