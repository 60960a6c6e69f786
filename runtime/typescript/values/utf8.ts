// They are created on first use, so that servers can be imported where a test
// environment, such as jsdom, has neither class.
const created: {
  encoder?: TextEncoder;
  decoder?: TextDecoder;
  replacer?: TextDecoder;
  scratch?: Uint8Array;
} = {};

/** Returns the bytes of a text in UTF-8. */
export function encodeUtf8(text: string): ReturnType<TextEncoder["encode"]> {
  return (created.encoder ??= new TextEncoder()).encode(text);
}

/** A character of UTF-16 is at most this long in UTF-8. */
const maxBytesEach = 3;

/** Returns the length of a text in UTF-8, for short ones without new memory. */
export function byteLengthOf(text: string): number {
  const scratch = (created.scratch ??= new Uint8Array(4096));
  if (text.length * maxBytesEach > scratch.length) {
    return encodeUtf8(text).byteLength;
  }
  created.encoder ??= new TextEncoder();
  return created.encoder.encodeInto(text, scratch).written;
}

/**
 * Returns the text of bytes in UTF-8, with its byte order mark. Errors: TypeError
 * if the bytes are not UTF-8.
 */
export function decodeUtf8(bytes: Uint8Array): string {
  const options = { fatal: true, ignoreBOM: true };
  return (created.decoder ??= new TextDecoder("utf-8", options)).decode(bytes);
}

/**
 * Returns the text of bytes in UTF-8, without its byte order mark and with U+FFFD
 * in place of invalid bytes.
 */
export function replaceUtf8(bytes: Uint8Array): string {
  return (created.replacer ??= new TextDecoder()).decode(bytes);
}
