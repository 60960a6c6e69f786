import { decodeUtf8, encodeUtf8 } from "../../values/utf8.js";

/** Returns null for bytes that are not UTF-8. */
export function decodeText(bytes: Uint8Array): string | null {
  try {
    return decodeUtf8(bytes);
  } catch {
    return null;
  }
}

/** Whether a text in a query has to be decoded. */
export function isEncoded(text: string): boolean {
  return text.includes("%") || text.includes("+");
}

/** Maximum length of a text that native functions decode in less time. */
const maxShort = 64;

/**
 * Decodes a part of a query as `URLSearchParams` does, but returns null for bytes
 * that are not UTF-8.
 */
export function decodePart(text: string): string | null {
  if (!isEncoded(text)) return text;
  // Native replacements take 0.1 µs each, which adds up in a text of them.
  if (text.length > maxShort) return decodeText(unescape(text));
  try {
    return decodeURIComponent(
      text.replace(/\+/gu, " ").replace(/%(?![\da-fA-F]{2})/gu, "%25"),
    );
  } catch {
    return null;
  }
}

const plus = 43;
const percent = 37;
const space = 32;

/** Returns the bytes of a text in one pass. */
function unescape(text: string): Uint8Array {
  const bytes = encodeUtf8(text);
  const { length } = bytes;
  let end = 0;
  for (let at = 0; at < length; at += 1) {
    let byte = bytes[at] ?? 0;
    if (byte === plus) {
      byte = space;
    } else if (byte === percent && at + 2 < length) {
      const value = hexDigit(bytes[at + 1]) * 16 + hexDigit(bytes[at + 2]);
      if (value >= 0) {
        byte = value;
        at += 2;
      }
    }
    bytes[end] = byte;
    end += 1;
  }
  return bytes.subarray(0, end);
}

/** Returns the value of a digit, or a number below -255 for another byte. */
function hexDigit(byte = 0): number {
  if (byte >= 48 && byte <= 57) return byte - 48;
  const letter = byte | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : -256;
}
