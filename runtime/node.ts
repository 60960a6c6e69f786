import { Buffer } from "node:buffer";

import { bodyTooLarge, decodeBody, joinChunks } from "./server/body.js";
import { WebrpcClientDisconnectedError } from "./errors.js";
import type {
  BodyStream,
  RpcServer,
  ServerRequest,
  ServerResponse,
} from "./server/exchange.js";
import { jsonHeaders, jsonType } from "./server/response.js";

/** What is used of a request of `node:http`, `node:https` and `node:http2`. */
export interface NodeRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly httpVersionMajor: number;
  readonly readableEnded: boolean;
  readonly socket?: object;
  /** What a body parser made of the body, if there was one. */
  readonly body?: unknown;
  /** The body as it came, where a host keeps it. */
  readonly rawBody?: unknown;
  on(event: "data", listener: (chunk: Uint8Array) => void): unknown;
  on(event: "end" | "close" | "error", listener: () => void): unknown;
  pause(): unknown;
  resume(): unknown;
}

/** What is used of a response of `node:http`, `node:https` and `node:http2`. */
export interface NodeResponse {
  readonly headersSent: boolean;
  readonly destroyed?: boolean;
  readonly writableEnded?: boolean;
  /** Of HTTP/2 only. */
  readonly stream?: { readonly destroyed: boolean; close(): void };
  on(event: "close" | "drain", listener: () => void): unknown;
  writeHead(
    status: number,
    headers: Record<string, string | number | string[]>,
  ): unknown;
  /** Sends status and headers; HTTP/2 has it nowhere, and does it at once. */
  flushHeaders?(): unknown;
  /** False: it is full, and says "drain" when it is not any more. */
  write(piece: Uint8Array): boolean;
  end(): unknown;
  end(body: string, encoding: "latin1" | "utf8"): unknown;
  /** Cuts the connection. */
  destroy(): unknown;
}

/**
 * A listener for `http.createServer`, `https.createServer` and
 * `http2.createSecureServer`.
 */
export function toNodeHandler(
  server: RpcServer,
): (request: NodeRequest, response: NodeResponse) => void {
  return (request, response) => {
    const exchange = new NodeExchange(request, response);
    void server.handle(exchange).then((answer) => {
      const { stream } = answer;
      if (stream === undefined) send(exchange, answer, response);
      else
        sendStream(exchange, answer, stream, response).catch(() => {
          response.destroy();
        });
    });
  };
}

/** Sends an answer, unless there is nobody any more to get it. */
export function send(
  exchange: NodeExchange,
  { status, headers, body }: ServerResponse,
  response: NodeResponse,
): void {
  exchange.isAnswered = true;
  if (response.headersSent || isGone(response)) return;
  const byteLength = Buffer.byteLength(body);
  response.writeHead(status, exchange.headersOf(headers, byteLength));
  // ASCII needs no encoding, which shows in long bodies.
  response.end(body, byteLength === body.length ? "latin1" : "utf8");
  if (exchange.isCutShort) response.stream?.close();
}

/** What comes before a body that is sent piece by piece. */
export interface NodeHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
}

/** Sends piece by piece, and takes none while the connection is full. */
export async function sendStream(
  exchange: NodeExchange,
  { status, headers }: NodeHead,
  stream: BodyStream,
  response: NodeResponse,
): Promise<void> {
  if (response.headersSent || isGone(response)) return stream.cancel();
  let goOn = (): void => {};
  response.on("drain", () => goOn());
  response.on("close", () => {
    stream.cancel();
    goOn();
  });
  response.writeHead(status, { ...headers, ...exchange.connectionHeaders });
  for (;;) {
    const piece = await stream.next();
    if (piece === null || isGone(response)) break;
    if (response.write(toBytes(piece))) continue;
    await new Promise<void>((resolve) => {
      goOn = resolve;
      if (isGone(response)) resolve();
    });
  }
  exchange.isAnswered = true;
  response.end();
}

/**
 * HTTP/2 of Node 20 sends what is no longer memory of its own when it is given
 * several texts, of which one is empty, before it comes to sending.
 */
function toBytes(piece: string | Uint8Array): Uint8Array {
  return typeof piece === "string" ? Buffer.from(piece) : piece;
}

/**
 * So much of a body that is too long is read and thrown away, so that the
 * client gets to read the answer; beyond, the connection is closed on it.
 */
const maxDiscardedBytes = 8 * 1024 * 1024;

const noHeaders: Readonly<Record<string, string>> =
  /* @__PURE__ */ Object.freeze({});

/** A request of node, read lazily. */
export class NodeExchange implements ServerRequest {
  readonly method: string;
  readonly target: string;
  /** Set when the answer goes out: later disconnects abort nothing. */
  isAnswered = false;
  /** Set when the rest of the body will not be read. */
  isCutShort = false;
  /** Set when somebody begins to read the body. */
  isRead = false;
  readonly #request: NodeRequest;
  readonly #response: NodeResponse;
  #controller: AbortController | null = null;

  /** `target`: what of the URL is the server's. */
  constructor(
    request: NodeRequest,
    response: NodeResponse,
    target = request.url ?? "/",
  ) {
    this.method = request.method ?? "GET";
    this.target = target;
    this.#request = request;
    this.#response = response;
  }

  /** Headers that the answer must carry for the sake of the connection. */
  get connectionHeaders(): Readonly<Record<string, string>> {
    const mustClose = this.isCutShort && this.#request.httpVersionMajor < 2;
    return mustClose ? { connection: "close" } : noHeaders;
  }

  /** The headers of an answer, with what the connection adds. */
  headersOf(
    headers: Readonly<Record<string, string>>,
    byteLength: number,
  ): Record<string, string | number> {
    // A new object is cheap only where the engine knows its properties.
    const all =
      headers === jsonHeaders
        ? { "content-type": jsonType, "content-length": byteLength }
        : { ...headers, "content-length": byteLength };
    // Nothing to say is 204, which must not have it.
    if (byteLength === 0) Reflect.deleteProperty(all, "content-length");
    return this.isCutShort ? { ...all, ...this.connectionHeaders } : all;
  }

  /** Whether there is a body, if only an empty one. */
  get hasBody(): boolean {
    if (this.method === "GET" || this.method === "HEAD") return false;
    const { headers, httpVersionMajor } = this.#request;
    return (
      httpVersionMajor > 1 ||
      headers["content-length"] !== undefined ||
      headers["transfer-encoding"] !== undefined
    );
  }

  /** All headers, by lower-case name. */
  get headers(): NodeRequest["headers"] {
    return this.#request.headers;
  }

  header(name: string): string | null {
    const value = this.#request.headers[name.toLowerCase()];
    if (typeof value === "string") return value;
    // Not an array either: a property that every object has.
    return Array.isArray(value) ? value.join(", ") : null;
  }

  signal(): AbortSignal {
    if (this.#controller !== null) return this.#controller.signal;
    const controller = new AbortController();
    this.#controller = controller;
    const abort = (): void => {
      if (this.isAnswered) return;
      controller.abort(new WebrpcClientDisconnectedError());
    };
    if (isGone(this.#response)) abort();
    else this.#response.on("close", abort);
    return controller.signal;
  }

  text(maxBytes: number): Promise<string> {
    return this.#read(maxBytes, decodeBody);
  }

  async *chunks(maxBytes: number): AsyncGenerator<Uint8Array> {
    const request = this.#request;
    this.isRead = true;
    if (request.readableEnded) {
      yield await this.bytes(maxBytes);
      return;
    }
    const declared = Number(request.headers["content-length"]);
    if (declared > maxBytes) {
      this.isCutShort = declared > maxBytes + maxDiscardedBytes;
      throw bodyTooLarge(maxBytes);
    }
    let byteLength = 0;
    const isUnwanted = (): boolean =>
      this.isAnswered || this.#response.writableEnded === true;
    // Throws away what nobody has read, for the next request to come through.
    this.#response.on("close", () => request.resume());
    for await (const chunk of readChunks(request, isUnwanted)) {
      byteLength += chunk.byteLength;
      if (byteLength > maxBytes) {
        this.isCutShort = true;
        throw bodyTooLarge(maxBytes);
      }
      yield chunk;
    }
  }

  /** The whole body. Errors: as `text`, but it need not be UTF-8. */
  bytes(maxBytes: number): Promise<Uint8Array> {
    return this.#read(maxBytes, (bytes) => bytes);
  }

  /** The whole body, as `convert` makes it. */
  #read<Value>(
    maxBytes: number,
    convert: (bytes: Uint8Array) => Value,
  ): Promise<Value> {
    const request = this.#request;
    this.isRead = true;
    if (request.readableEnded) {
      return bytesWithin(request, maxBytes).then(convert);
    }
    const maxRead = maxBytes + maxDiscardedBytes;
    const stopReading = (): void => {
      this.isCutShort = true;
    };
    if (Number(request.headers["content-length"]) > maxRead) {
      stopReading();
      return Promise.reject(bodyTooLarge(maxBytes));
    }
    return readBytes(request, maxBytes, maxRead, stopReading, convert);
  }
}

/**
 * The chunks of a body, no faster than they are taken. Not by the iterator that
 * node has: when that is left, the connection is either cut or stuck.
 *
 * Input: `isUnwanted` tells when the rest is to be thrown away, so that the
 * connection can be used again.
 */
async function* readChunks(
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
    else if (isLost) throw new WebrpcClientDisconnectedError();
    else if (request.readableEnded) return;
    else {
      const changed = new Promise<void>((resolve) => (wake = resolve));
      request.resume();
      await changed;
    }
  }
}

function readBytes<Value>(
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
async function bytesWithin(
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

function isGone(response: NodeResponse): boolean {
  return response.destroyed === true || response.stream?.destroyed === true;
}
