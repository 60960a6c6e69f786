import { JsonFault, readJson } from "./json-reader.js";

/**
 * Matches 16 digits where a number may start. Every integer literal beyond
 * ±(2^53-1) has such a run. Strings may also contain one, but that only affects
 * speed.
 */
const longInteger = /(?:^|[-\s:,[])[0-9]{16}/;

/** Reads JSON like `parseJson`, but returns a JsonFault instead of throwing. */
export function readExactJson(text: string, maxDepth: number): unknown {
  return longInteger.test(text)
    ? readJson(text, maxDepth)
    : readPlainJson(text, maxDepth);
}

/**
 * Reads JSON with all numbers as `number`. It is for messages without 64-bit
 * integers.
 *
 * Returns the value, or a JsonFault if the text is not JSON or is nested more
 * than `maxDepth` levels deep.
 */
export function readPlainJson(text: string, maxDepth: number): unknown {
  // The engine takes a long time for many levels.
  if (isTruncated(text) || isTooDeep(text, maxDepth)) {
    return readJson(text, maxDepth);
  }
  try {
    return JSON.parse(text);
  } catch {
    // The engine's own message quotes parts of the text.
    const fault = readJson(text, maxDepth);
    return fault instanceof JsonFault ? fault : new JsonFault("JSON", 0);
  }
}

/**
 * Whether text starts with an opening bracket but does not end with the
 * matching one, so that it cannot be JSON. Text that ends with white space does
 * not count. The engine takes longer to reject truncated text than
 * to read valid text.
 */
function isTruncated(text: string): boolean {
  const first = text.charCodeAt(0);
  const last = text.charCodeAt(text.length - 1);
  const isNested = first === brace || first === bracket;
  return isNested && last > space && last !== first + 2;
}

/**
 * Whether JSON is nested too deeply. Counts brackets first, because most JSON
 * has fewer than `maxDepth`.
 */
function isTooDeep(text: string, maxDepth: number): boolean {
  const isShort = text.length < 2 * maxDepth;
  if (isShort || !hasMoreBrackets(text, maxDepth)) return false;
  let depth = 0;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    if (unit === quote) i = endOfString(text, i);
    else if (unit === brace || unit === bracket) depth += 1;
    else if (unit === brace + 2 || unit === bracket + 2) depth -= 1;
    if (depth > maxDepth) return true;
  }
  return false;
}

const space = 0x20;
const quote = 0x22;
const bracket = 0x5b;
const brace = 0x7b;

/**
 * Whether a text has more than `limit` opening brackets, including brackets in
 * strings.
 */
function hasMoreBrackets(text: string, limit: number): boolean {
  let count = 0;
  for (const opening of ["[", "{"]) {
    let at = text.indexOf(opening);
    while (at !== -1 && count <= limit) {
      count += 1;
      at = text.indexOf(opening, at + 1);
    }
  }
  return count > limit;
}

/**
 * Returns the offset of the quote that closes the string that starts at
 * `start`, or the length of the text if there is none.
 */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text[at - 1 - backslashes] === "\\") backslashes += 1;
  return backslashes % 2 === 1;
}
