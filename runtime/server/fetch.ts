import { type BodyLimits, BodyPace } from "./model/body-pace.js";
import { BodyReadError, bodyTooLarge, decodeBody } from "./requests/body.js";
import { Chunks } from "../wire/chunks.js";
import { WebrpcClientDisconnectedError } from "../wire/errors.js";
import {
  answerBy,
  type BodyStream,
  type Handle,
  type HostedRequest,
  type ServerRequest,
  type ServerResponse,
} from "./model/exchange.js";

/** Returns a web-standard handler for a `handle` function. */
export function toFetch(
  handle: Handle,
): (request: Request) => Promise<Response> {
  return (request) => answerRequest(handle, request, null);
}

/**
 * Responds to a web-standard request.
 *
 * Input: `readAgain` returns a body that other code has already read. Null if
 * the host does not keep such bodies.
 */
export function answerRequest(
  handle: Handle,
  request: Request & Partial<HostedRequest>,
  readAgain: (() => Promise<ArrayBuffer>) | null,
): Promise<Response> {
  return (
    request[answerBy]?.(handle) ??
    handle(new FetchRequest(request, readAgain)).then(toResponse)
  );
}

/** Converts a response to a web-standard one. */
export function toResponse(answer: ServerResponse): Response {
  const { status, headers, body, stream } = answer;
  if (stream !== undefined) {
    return new Response(toReadable(stream), { status, headers });
  }
  return new Response(body === "" ? null : body, { status, headers });
}

const utf8 = /* @__PURE__ */ new TextEncoder();

/** Converts a body to a web-standard stream that is read on demand. */
export function toReadable(stream: BodyStream): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const piece = await stream.next();
        if (piece === null) controller.close();
        else {
          controller.enqueue(
            typeof piece === "string" ? utf8.encode(piece) : piece,
          );
        }
      },
      cancel: () => stream.cancel(),
    },
    { highWaterMark: 0 },
  );
}

/** A web-standard request that is read on demand. */
export class FetchRequest implements ServerRequest {
  readonly method: string;
  readonly target: string;
  readonly #request: Request;
  readonly #readAgain: (() => Promise<ArrayBuffer>) | null;

  /**
   * Input: `readAgain` returns a body that other code has already read. Null if
   * the host does not keep such bodies.
   */
  constructor(
    request: Request,
    readAgain: (() => Promise<ArrayBuffer>) | null,
  ) {
    this.#readAgain = readAgain;
    this.method = request.method;
    this.target = targetOf(request.url);
    this.#request = request;
  }

  header(name: string): string | null {
    return this.#request.headers.get(name);
  }

  signal(): AbortSignal {
    return this.#request.signal;
  }

  async text(limits: BodyLimits): Promise<string> {
    const { next } = this.#open(limits);
    const chunks = new Chunks();
    for (;;) {
      const chunk = await next();
      if (chunk === null) return decodeBody(chunks.join());
      chunks.add(chunk);
    }
  }

  async *chunks(limits: BodyLimits): AsyncGenerator<Uint8Array> {
    const { cancel, next } = this.#open(limits);
    try {
      for (;;) {
        const chunk = await next();
        if (chunk === null) return;
        yield chunk;
      }
    } finally {
      cancel();
    }
  }

  #open(limits: BodyLimits): BodyReader {
    const request = this.#request;
    if (Number(request.headers.get("content-length")) > limits.maxBytes) {
      throw bodyTooLarge(limits.maxBytes);
    }
    // Do not access the body earlier, because some hosts then wait for it.
    const body = request.bodyUsed ? this.#readAgainStream() : request.body;
    return readStream(body, limits);
  }

  #readAgainStream(): ReadableStream<Uint8Array> {
    const readAgain = this.#readAgain;
    if (readAgain === null) throw new BodyReadError();
    return new ReadableStream({
      async pull(controller) {
        controller.enqueue(new Uint8Array(await readAgain()));
        controller.close();
      },
    });
  }
}

/** Throws the error for a body that breaks off before its end. */
function disconnected(cause: unknown): never {
  throw new WebrpcClientDisconnectedError({ cause });
}

/** Returns the path and query of an absolute URL without the fragment. */
function targetOf(url: string): string {
  const path = url.indexOf("/", url.indexOf("//") + 2);
  const fragment = url.indexOf("#");
  if (path === -1) return "/";
  return fragment === -1 ? url.slice(path) : url.slice(path, fragment);
}

/** Reads a body chunk by chunk. */
interface BodyReader {
  /**
   * Returns the next chunk, or null at the end. Errors: see
   * `ServerRequest.text`.
   */
  next(): Promise<Uint8Array | null>;
  /** Discards the rest. Has no effect at the end. */
  cancel(): void;
}

function readStream(
  stream: ReadableStream<Uint8Array> | null,
  limits: BodyLimits,
): BodyReader {
  const reader = stream?.getReader();
  const { maxBytes } = limits;
  let byteLength = 0;
  let slow: Error | null = null;
  // Canceling the reader ends a pending read.
  const cancel = (): void => void reader?.cancel().catch(() => {});
  const pace = new BodyPace(limits, (error) => {
    slow = error;
    cancel();
  });
  const next = async (): Promise<Uint8Array | null> => {
    if (reader === undefined) return null;
    pace.start();
    const { done, value } = await reader.read().catch(disconnected);
    pace.stop();
    if (slow !== null) throw slow;
    if (done) return null;
    pace.add(value.byteLength);
    // Not every host limits a body to its declared length.
    byteLength += value.byteLength;
    if (byteLength <= maxBytes) return value;
    cancel();
    throw bodyTooLarge(maxBytes);
  };
  return { cancel, next };
}
