// They are created on first use, so that servers can be imported where a test
// environment, such as jsdom, has neither class.
const created: { encoder?: TextEncoder; decoder?: TextDecoder } = {};

/** Returns the bytes of a text in UTF-8. */
export function encodeUtf8(text: string): ReturnType<TextEncoder["encode"]> {
  return (created.encoder ??= new TextEncoder()).encode(text);
}

/**
 * Returns the text of bytes in UTF-8, with its byte order mark. Errors: TypeError
 * if the bytes are not UTF-8.
 */
export function decodeUtf8(bytes: Uint8Array): string {
  const options = { fatal: true, ignoreBOM: true };
  return (created.decoder ??= new TextDecoder("utf-8", options)).decode(bytes);
}
