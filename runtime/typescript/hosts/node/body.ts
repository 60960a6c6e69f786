import { Buffer } from "node:buffer";

import { WebrpcClientDisconnectedError } from "../../wire/errors.js";
import { type BodyLimits, BodyPace } from "../../server/model/body-pace.js";
import type { KeptBody } from "../../server/model/exchange.js";
import {
  BodyReadError,
  bodyTooLarge,
  refuseRounded,
} from "../../server/requests/body.js";
import { maxDiscardedBytes } from "../../server/requests/unread-body.js";
import { isBytes } from "../../values/predicates.js";
import { Chunks } from "../../wire/chunks.js";
import type { NodeRequest } from "./messages.js";

/** A body that is being received. */
export interface IncomingBody {
  readonly request: NodeRequest;
  readonly limits: BodyLimits;
  /**
   * Calls a function when the body can no longer be read, with the reason. Node
   * emits no event on a request whose response has ended.
   */
  readonly onLost: (listener: (reason: Error) => void) => void;
  /** Called if the rest will not be read. */
  readonly onCut: () => void;
}

/**
 * Yields the chunks of a body no faster than they are consumed. This does not
 * use Node's own iterator, because leaving it early would cut or block the
 * connection.
 */
export async function* readChunks({
  limits,
  onCut,
  onLost,
  request,
}: IncomingBody): AsyncGenerator<Uint8Array> {
  const waiting: Uint8Array[] = [];
  let failure: Error | null = null;
  let wake = (): void => {};
  const fail = (reason: Error): void => {
    failure ??= reason;
    wake();
  };
  const pace = new BodyPace(limits, (error) => {
    onCut();
    fail(error);
  });
  request.on("data", (chunk) => {
    pace.add(chunk.byteLength);
    // Discard the rest, so that the connection can be reused.
    if (failure !== null) return;
    request.pause();
    waiting.push(chunk);
    wake();
  });
  request.on("end", () => wake());
  onLost((reason) => {
    waiting.length = 0;
    fail(reason);
  });
  for (;;) {
    const chunk = waiting.shift();
    if (chunk !== undefined) yield chunk;
    else if (failure !== null) throw failure;
    else if (request.aborted === true)
      throw new WebrpcClientDisconnectedError();
    else if (request.readableEnded) return;
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
 * Discards the rest of a body after the response, so that the client can use its
 * connection again. The rest may take as long as a whole body.
 */
export function discardRest(
  request: NodeRequest,
  limits: BodyLimits,
  onCut: () => void,
): void {
  const { socket } = request;
  let left = maxDiscardedBytes;
  const pace = new BodyPace(limits, onCut);
  const stop = (): void => {
    pace.stop();
    socket?.removeListener("close", stop);
  };
  request.on("data", (chunk) => {
    pace.add(chunk.byteLength);
    left -= chunk.byteLength;
    if (left < 0) onCut();
  });
  request.on("end", stop);
  // Node emits no event on a request whose response has ended.
  socket?.on("close", stop);
  pace.start();
  request.resume();
}

/**
 * Returns the whole body, converted by `convert`.
 *
 * Input: `count` is called with the number of bytes read so far.
 */
export function readBytes<Value>(
  { limits, onCut, onLost, request }: IncomingBody,
  count: (byteLength: number) => void,
  convert: (bytes: Uint8Array) => Value,
): Promise<Value> {
  const { maxBytes } = limits;
  const maxRead = maxBytes + maxDiscardedBytes;
  // "data" events are measurably faster than `for await`.
  return new Promise((resolve, reject) => {
    let chunks = new Chunks();
    let byteLength = 0;
    let isOver = false;
    const fail = (reason: Error): void => {
      isOver = true;
      chunks = new Chunks();
      pace.stop();
      reject(reason);
    };
    const pace = new BodyPace(limits, (error) => {
      onCut();
      fail(error);
    });
    pace.start();
    request.on("data", (chunk) => {
      byteLength += chunk.byteLength;
      count(byteLength);
      pace.add(chunk.byteLength);
      if (byteLength > maxRead) {
        onCut();
        fail(bodyTooLarge(maxBytes));
      } else if (byteLength <= maxBytes && !isOver) {
        chunks.add(chunk);
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
    onLost(fail);
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

/** Whether a body parser that ran before the server has kept the bytes, or a text. */
export function isKept({ body, rawBody }: NodeRequest, as: KeptBody): boolean {
  const isText = as === "text" && typeof body === "string";
  return isText || isBytes(rawBody) || isBytes(body);
}

/** Returns the result of a body parser that ran before the server. */
function bytesReadBefore(
  { body, headers, rawBody }: NodeRequest,
  isExact: boolean,
): Uint8Array {
  for (const each of [rawBody, body]) {
    if (isBytes(each)) return each;
    if (typeof each === "string") return Buffer.from(each);
  }
  const isJson = /^application\/json\b/iu.test(String(headers["content-type"]));
  if (!isJson || body === undefined) throw new BodyReadError();
  return Buffer.from(JSON.stringify(body, isExact ? refuseRounded : undefined));
}
