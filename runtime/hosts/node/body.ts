import { Buffer } from "node:buffer";

import { WebrpcClientDisconnectedError } from "../../wire/errors.js";
import { type BodyLimits, BodyPace } from "../../server/model/body-pace.js";
import { BodyReadError, bodyTooLarge } from "../../server/requests/body.js";
import { maxDiscardedBytes } from "../../server/requests/unread-body.js";
import { Chunks } from "../../wire/chunks.js";
import type { NodeRequest } from "./messages.js";

/**
 * Yields the chunks of a body no faster than they are consumed. This does not
 * use Node's own iterator, because leaving it early would cut or block the
 * connection.
 *
 * Input: `isUnwanted` returns whether to discard the rest so that the
 * connection can be reused. `onCut` is called if the rest will not be read.
 */
export async function* readChunks(
  request: NodeRequest,
  limits: BodyLimits,
  isUnwanted: () => boolean,
  onCut: () => void,
): AsyncGenerator<Uint8Array> {
  const waiting: Uint8Array[] = [];
  let isLost = false;
  let slow: Error | null = null;
  let wake = (): void => {};
  const pace = new BodyPace(limits, (error) => {
    slow = error;
    onCut();
    wake();
  });
  request.on("data", (chunk) => {
    pace.add(chunk.byteLength);
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
    else if (slow !== null) throw slow;
    else {
      const changed = new Promise<void>((resolve) => (wake = resolve));
      pace.start();
      request.resume();
      await changed;
      pace.stop();
    }
  }
}

/**
 * Returns the whole body, converted by `convert`.
 *
 * Input: `count` is called with the number of bytes read so far. `onCut` is
 * called if the rest of the body will not be read.
 */
export function readBytes<Value>(
  request: NodeRequest,
  limits: BodyLimits,
  count: (byteLength: number) => void,
  onCut: () => void,
  convert: (bytes: Uint8Array) => Value,
): Promise<Value> {
  const { maxBytes } = limits;
  const maxRead = maxBytes + maxDiscardedBytes;
  // "data" events are measurably faster than `for await`.
  return new Promise((resolve, reject) => {
    const chunks = new Chunks();
    let byteLength = 0;
    const pace = new BodyPace(limits, (error) => {
      onCut();
      reject(error);
    });
    pace.start();
    request.on("data", (chunk) => {
      byteLength += chunk.byteLength;
      count(byteLength);
      pace.add(chunk.byteLength);
      if (byteLength <= maxBytes) {
        chunks.add(chunk);
      } else if (byteLength > maxRead) {
        onCut();
        reject(bodyTooLarge(maxBytes));
      }
    });
    request.on("end", () => {
      pace.stop();
      // HTTP/2 also emits "end" for an aborted body.
      if (request.aborted === true)
        return reject(new WebrpcClientDisconnectedError());
      if (byteLength > maxBytes) return reject(bodyTooLarge(maxBytes));
      try {
        resolve(convert(chunks.join()));
      } catch (error) {
        reject(error);
      }
    });
    const lose = (): void => {
      // "close" also follows "end", and creating an error is expensive.
      if (request.readableEnded) return;
      pace.stop();
      reject(new WebrpcClientDisconnectedError());
    };
    request.on("error", lose);
    request.on("close", lose);
  });
}

/**
 * Returns a body that was read before the request reached this handler. Rejects
 * if it is too long or was not kept, or with `isExact`, if a parser may have
 * rounded an integer.
 */
export async function bytesWithin(
  request: NodeRequest,
  maxBytes: number,
  isExact: boolean,
): Promise<Uint8Array> {
  const bytes = bytesReadBefore(request, isExact);
  if (bytes.byteLength > maxBytes) throw bodyTooLarge(maxBytes);
  return bytes;
}

/** Whether a body parser that ran before the server has kept the bytes. */
export function isRawBody({ body, rawBody }: NodeRequest): boolean {
  return rawBody instanceof Uint8Array || body instanceof Uint8Array;
}

/** Returns the result of a body parser that ran before the server. */
function bytesReadBefore(
  { body, headers, rawBody }: NodeRequest,
  isExact: boolean,
): Uint8Array {
  for (const each of [rawBody, body]) {
    if (each instanceof Uint8Array) return each;
    if (typeof each === "string") return Buffer.from(each);
  }
  const isJson = /^application\/json\b/iu.test(String(headers["content-type"]));
  if (!isJson || body === undefined) throw new BodyReadError();
  return Buffer.from(JSON.stringify(body, isExact ? refuseRounded : undefined));
}

/**
 * Rejects integers beyond ±(2^53-1), because a parser may have rounded them.
 */
function refuseRounded(_key: string, value: unknown): unknown {
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new BodyReadError();
  }
  return value;
}
