import { Buffer } from "node:buffer";

import { WebrpcClientDisconnectedError } from "../../wire/errors.js";
import { bodyTooLarge, joinChunks } from "../../server/requests/body.js";
import type { NodeRequest } from "./messages.js";

/**
 * The chunks of a body, no faster than they are taken. Not by the iterator that
 * node has: when that is left, the connection is either cut or stuck.
 *
 * Input: `isUnwanted` tells when the rest is to be thrown away, so that the
 * connection can be used again.
 */
export async function* readChunks(
  request: NodeRequest,
  isUnwanted: () => boolean,
): AsyncGenerator<Uint8Array> {
  const waiting: Uint8Array[] = [];
  let isLost = false;
  let wake = (): void => {};
  request.on("data", (chunk) => {
    if (isUnwanted()) return;
    request.pause();
    waiting.push(chunk);
    wake();
  });
  request.on("end", () => wake());
  const lose = (): void => {
    isLost = !request.readableEnded;
    wake();
  };
  request.on("error", lose);
  request.on("close", lose);
  for (;;) {
    const chunk = waiting.shift();
    if (chunk !== undefined) yield chunk;
    else if (isLost || request.aborted === true)
      throw new WebrpcClientDisconnectedError();
    else if (request.readableEnded) return;
    else {
      const changed = new Promise<void>((resolve) => (wake = resolve));
      request.resume();
      await changed;
    }
  }
}

/** The whole body, as `convert` makes it; beyond `maxRead` it is cut short. */
export function readBytes<Value>(
  request: NodeRequest,
  maxBytes: number,
  maxRead: number,
  onTooMuch: () => void,
  convert: (bytes: Uint8Array) => Value,
): Promise<Value> {
  // "data" events: measurably faster than `for await`.
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let byteLength = 0;
    request.on("data", (chunk) => {
      byteLength += chunk.byteLength;
      if (byteLength <= maxBytes) {
        chunks.push(chunk);
      } else if (byteLength > maxRead) {
        onTooMuch();
        reject(bodyTooLarge(maxBytes));
      }
    });
    request.on("end", () => {
      // HTTP/2 ends a body that was broken off, too.
      if (request.aborted === true)
        return reject(new WebrpcClientDisconnectedError());
      if (byteLength > maxBytes) return reject(bodyTooLarge(maxBytes));
      try {
        resolve(convert(joinChunks(chunks, byteLength)));
      } catch (error) {
        reject(error);
      }
    });
    const lose = (): void => {
      // "close" comes after "end" too, and making an error is not free.
      if (request.readableEnded) return;
      reject(new WebrpcClientDisconnectedError());
    };
    request.on("error", lose);
    request.on("close", lose);
  });
}

/** The body that was read before the request came here. */
export async function bytesWithin(
  request: NodeRequest,
  maxBytes: number,
): Promise<Uint8Array> {
  const bytes = bytesReadBefore(request);
  if (bytes.byteLength > maxBytes) throw bodyTooLarge(maxBytes);
  return bytes;
}

/** What a body parser in front of the server kept of the body. */
function bytesReadBefore(request: NodeRequest): Uint8Array {
  for (const body of [request.rawBody, request.body]) {
    if (body instanceof Uint8Array) return body;
    if (typeof body === "string") return Buffer.from(body);
  }
  throw new Error(
    "the request body was read before it came here: " +
      "mount the server in front of body parsers such as express.json()",
  );
}
