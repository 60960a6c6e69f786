import type { RpcError } from "../../wire/errors.js";
import { badRequest } from "./rejection.js";

const utf8 = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: true });

/**
 * Text of a request body; a byte order mark is dropped.
 *
 * Errors: `WebrpcBadRequest` when the bytes are not UTF-8.
 */
export function decodeBody(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw badRequest("body is not UTF-8");
  }
}

/** The error of a body that is longer than the server takes. */
export function bodyTooLarge(maxBytes: number): RpcError {
  return badRequest(`body larger than ${String(maxBytes)} bytes`);
}

/** A mistake of the host: something else has read the body. */
export class BodyReadError extends Error {
  override readonly name = "BodyReadError";

  constructor() {
    super(
      "the request body was read before it reached the server: " +
        "mount the server in front of body parsers",
    );
  }
}

/** One piece of a body with all of them, in order. */
export function joinChunks(
  chunks: readonly Uint8Array[],
  byteLength: number,
): Uint8Array {
  const [first] = chunks;
  if (chunks.length === 1 && first !== undefined) return first;
  const whole = new Uint8Array(byteLength);
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return whole;
}
