import { decodeUtf8, replaceUtf8 } from "../../values/utf8.js";
import type { RpcError } from "../../wire/errors.js";
import { badRequest } from "./rejection.js";

/**
 * Decodes a request body without its byte order mark.
 *
 * Errors: `WebrpcBadRequest` if the bytes are not UTF-8.
 */
export function decodeBody(bytes: Uint8Array): string {
  // Several hosts decode much faster if they may replace invalid bytes.
  const text = replaceUtf8(bytes);
  return text.includes("\uFFFD") ? decodeStrictly(bytes) : text;
}

function decodeStrictly(bytes: Uint8Array): string {
  try {
    return decodeUtf8(bytes).replace(/^\uFEFF/, "");
  } catch {
    throw badRequest("body is not UTF-8");
  }
}

/** Creates the error for a body that is longer than the server accepts. */
export function bodyTooLarge(maxBytes: number): RpcError {
  return badRequest(`body larger than ${String(maxBytes)} bytes`, 413);
}

/** A bug in the host: other code has already read the body. */
export class BodyReadError extends Error {
  override readonly name = "BodyReadError";

  constructor() {
    super(
      "the request body was read before it reached the server: " +
        "mount the server in front of body parsers",
    );
  }
}

/**
 * A handler that reads a request body after the response, when the host reads no
 * more of it.
 */
export class BodyEndedError extends Error {
  override readonly name = "BodyEndedError";

  constructor() {
    super(
      "the response was sent before the whole request body was read: " +
        "read the body before you respond",
    );
  }
}

/**
 * Rejects integers beyond ±(2^53-1), because a parser may have rounded them.
 */
export function refuseRounded(_key: string, value: unknown): unknown {
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new BodyReadError();
  }
  return value;
}
