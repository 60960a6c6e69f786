import { encodeUtf8 } from "../values/utf8.js";

/**
 * Signs webhooks according to the Standard Webhooks specification: `v1,` and
 * the HMAC-SHA256 of `id.timestamp.body` in base64.
 */

/** The parts of a webhook that are signed. */
export interface WebhookMessage {
  /**
   * The `webhook-id` header. It is the same for all deliveries of one message.
   */
  readonly id: string;
  /** The `webhook-timestamp` header, in Unix seconds. */
  readonly timestamp: number;
  /** The body as sent. Strings are sent as UTF-8. */
  readonly body: string | Uint8Array;
}

/** A secret that is ready for use, created by `importSecret`. */
export type WebhookKey = Promise<CryptoKey>;

/** Minimum length of a secret according to Standard Webhooks. */
const minSecretBytes = 24;

/**
 * Reads a secret.
 *
 * Input: base64 with or without the `whsec_` prefix. Errors: throws a TypeError
 * synchronously if the secret is invalid or too short to be safe. The message
 * does not quote the secret.
 */
export function importSecret(secret: string): WebhookKey {
  const base64 = secret.replace(/^whsec_/, "");
  if (!/^[A-Za-z0-9+/]{4,}={0,2}$/.test(base64) || base64.length % 4 !== 0) {
    throw new TypeError("a webhook secret must be base64");
  }
  const bytes = bytesOf(base64);
  if (bytes.length < minSecretBytes) {
    throw new TypeError(
      `a webhook secret must have at least ${minSecretBytes} bytes`,
    );
  }
  return crypto.subtle.importKey(
    "raw",
    bytes,
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["sign"],
  );
}

/** Returns one signature per key for the `webhook-signature` header. */
export async function signMessage(
  keys: readonly WebhookKey[],
  message: WebhookMessage,
): Promise<string> {
  const text = bytesToSign(message);
  const signatures = keys.map(async (key) => {
    const bytes = await crypto.subtle.sign("HMAC", await key, text);
    return `v1,${btoa(String.fromCharCode(...new Uint8Array(bytes)))}`;
  });
  return (await Promise.all(signatures)).join(" ");
}

/**
 * The maximum number of signatures to check. No sender uses as many secrets.
 */
const maxSignatures = 10;

/** Whether one of the signatures was made with one of the keys. */
export async function isSigned(
  keys: readonly WebhookKey[],
  message: WebhookMessage,
  signatures: string,
): Promise<boolean> {
  const given = signatures.split(" ", maxSignatures);
  // The body is hashed once for each key, however many signatures there are.
  const expected = (await signMessage(keys, message)).match(/\S+/gu) ?? [];
  return expected.some((own) => given.some((each) => areSame(own, each)));
}

/** Compares texts in a time that only depends on their lengths. */
function areSame(left: string, right: string): boolean {
  let difference = left.length - right.length;
  for (let index = 0; index < left.length; index += 1)
    difference |= left.charCodeAt(index) ^ right.charCodeAt(index);
  return difference === 0;
}

function bytesToSign({ id, timestamp, body }: WebhookMessage) {
  const head = encodeUtf8(`${id}.${timestamp}.`);
  const content = typeof body === "string" ? encodeUtf8(body) : body;
  const bytes = new Uint8Array(head.length + content.length);
  bytes.set(head);
  bytes.set(content, head.length);
  return bytes;
}

function bytesOf(base64: string) {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
}
