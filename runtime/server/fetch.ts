import { bodyTooLarge, decodeBody, joinChunks } from "./requests/body.js";
import { WebrpcClientDisconnectedError } from "../wire/errors.js";
import {
  answerBy,
  type BodyStream,
  type Handle,
  type HostedRequest,
  type ServerRequest,
  type ServerResponse,
} from "./model/exchange.js";

/** Makes the web-standard entry of a neutral one. */
export function toFetch(
  handle: Handle,
): (request: Request) => Promise<Response> {
  return (request) => answerRequest(handle, request, null);
}

/**
 * Answers a web-standard request.
 *
 * Input: `readAgain` says how to get a body that has already been read.
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

/** The web-standard form of an answer. */
export function toResponse(answer: ServerResponse): Response {
  const { status, headers, body, stream } = answer;
  if (stream !== undefined) {
    return new Response(toReadable(stream), { status, headers });
  }
  return new Response(body === "" ? null : body, { status, headers });
}

const utf8 = /* @__PURE__ */ new TextEncoder();

/** The web-standard form of a body; takes a piece only when somebody reads. */
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

/** A web-standard request, read lazily. */
export class FetchRequest implements ServerRequest {
  readonly method: string;
  readonly target: string;
  readonly #request: Request;
  readonly #readAgain: (() => Promise<ArrayBuffer>) | null;

  /** `readAgain`: how to get a body that has already been read. */
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

  text(maxBytes: number): Promise<string> {
    return this.#bytes(maxBytes).then(decodeBody);
  }

  async *chunks(maxBytes: number): AsyncGenerator<Uint8Array> {
    const { body, bodyUsed, headers } = this.#request;
    if (Number(headers.get("content-length")) > maxBytes) {
      throw bodyTooLarge(maxBytes);
    }
    if (bodyUsed) yield await this.#bytes(maxBytes);
    if (bodyUsed || body === null) return;
    const reader = body.getReader();
    let byteLength = 0;
    for (;;) {
      const { done, value } = await reader.read().catch(disconnected);
      if (done) return;
      byteLength += value.byteLength;
      if (byteLength > maxBytes) throw bodyTooLarge(maxBytes);
      yield value;
    }
  }

  async #bytes(maxBytes: number): Promise<Uint8Array> {
    const request = this.#request;
    const declared = request.headers.get("content-length");
    if (declared !== null && Number(declared) > maxBytes) {
      throw bodyTooLarge(maxBytes);
    }
    const bytes = request.bodyUsed
      ? await this.#readUsed()
      : await readBytes(request, declared !== null, maxBytes);
    if (bytes.byteLength > maxBytes) throw bodyTooLarge(maxBytes);
    return bytes;
  }

  async #readUsed(): Promise<Uint8Array> {
    if (this.#readAgain !== null)
      return new Uint8Array(await this.#readAgain());
    throw new Error("the request body was read before it came here");
  }
}

/** What becomes of a body that does not come to its end. */
function disconnected(cause: unknown): never {
  throw new WebrpcClientDisconnectedError({ cause });
}

/** Path and query of an absolute URL; a fragment is for its sender alone. */
function targetOf(url: string): string {
  const path = url.indexOf("/", url.indexOf("//") + 2);
  const fragment = url.indexOf("#");
  if (path === -1) return "/";
  return fragment === -1 ? url.slice(path) : url.slice(path, fragment);
}

/** Reads at most one chunk more than `maxBytes`. */
function readBytes(
  request: Request,
  isLengthKnown: boolean,
  maxBytes: number,
): Promise<Uint8Array> {
  // Hosts hold bodies to their declared length, and read these fastest.
  return isLengthKnown
    ? request.arrayBuffer().then(toBytes, disconnected)
    : readStream(request.body, maxBytes).catch(disconnected);
}

function toBytes(buffer: ArrayBuffer): Uint8Array {
  return new Uint8Array(buffer);
}

async function readStream(
  stream: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<Uint8Array> {
  if (stream === null) return new Uint8Array();
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  let byteLength = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    byteLength += value.byteLength;
    if (byteLength > maxBytes) {
      await reader.cancel();
      break;
    }
  }
  return joinChunks(chunks, byteLength);
}
