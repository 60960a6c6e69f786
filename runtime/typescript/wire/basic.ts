import { decodeBytes, encodeBytes } from "./bytes.js";

/** A user name and a password, which `Basic` sends as one credential. */
export interface BasicLogin {
  readonly username: string;
  readonly password: string;
}

// RFC 7617 forbids control characters in both.
const controls = /\p{Cc}/u;

/**
 * Returns the value of a credential with the scheme `Basic`: the base64 form of
 * a user name and a password.
 *
 * Example: `credentials: { account: basicCredential({ username, password }) }`.
 * Errors: `TypeError` if the user name contains a colon, or either contains
 * a control character.
 * Source: RFC 7617, section 2.
 */
export function basicCredential({ username, password }: BasicLogin): string {
  if (username.includes(":")) {
    throw new TypeError("the user name contains a colon");
  }
  const text = `${username}:${password}`;
  if (controls.test(text)) {
    throw new TypeError(
      "the user name or the password contains a control character",
    );
  }
  return encodeBytes(new TextEncoder().encode(text));
}

/** Reads the value of a credential with the scheme `Basic`, or returns null. */
export function readBasicCredential(value: string): BasicLogin | null {
  try {
    const bytes = decodeBytes(value);
    // Each login has one form, so that no caller has several tenants.
    if (encodeBytes(bytes) !== value) return null;
    const options = { fatal: true, ignoreBOM: true };
    const text = new TextDecoder("utf-8", options).decode(bytes);
    const end = text.indexOf(":");
    if (end < 0 || controls.test(text)) return null;
    return { username: text.slice(0, end), password: text.slice(end + 1) };
  } catch {
    return null;
  }
}
