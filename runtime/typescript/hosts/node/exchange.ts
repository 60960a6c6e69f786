import { WebrpcClientDisconnectedError } from "../../wire/errors.js";
import type { BodyLimits } from "../../server/model/body-pace.js";
import {
  BodyEndedError,
  BodyReadError,
  bodyTooLarge,
  decodeBody,
} from "../../server/requests/body.js";
import type { KeptBody, ServerRequest } from "../../server/model/exchange.js";
import { jsonHeaders, jsonType } from "../../server/responses/response.js";
import {
  bytesWithin,
  type IncomingBody,
  isKept,
  discardRest,
  readBytes,
  readChunks,
} from "./body.js";
import { maxDiscardedBytes } from "../../server/requests/unread-body.js";
import {
  type NodeRequest,
  type NodeResponse,
  isDisconnected,
} from "./messages.js";

/**
 * How long to keep discarding the rest of an HTTP/2 body after the response, in
 * milliseconds.
 */
const discardMs = 1000;

const noHeaders: Readonly<Record<string, string>> =
  /* @__PURE__ */ Object.freeze({});

/**
 * Headers of which Node drops all values but the first, while web-standard
 * requests have all values. Another server or a proxy may read the last one.
 */
const onlyFirst: ReadonlySet<string> = /* @__PURE__ */ new Set([
  "authorization",
  "content-type",
]);

/** A Node request that is read on demand. */
export class NodeExchange implements ServerRequest {
  readonly method: string;
  readonly target: string;
  /**
   * Whether the response has been sent. After that, a disconnect has no effect.
   */
  isAnswered = false;
  /** Whether the rest of the body will not be read. */
  isCutShort = false;
  /** Whether something has begun to read the body. */
  isRead = false;
  receivedBytes = 0;
  readonly #request: NodeRequest;
  readonly #response: NodeResponse;
  #controller: AbortController | null = null;

  /** Input: `target` is the part of the URL that the server matches. */
  constructor(
    request: NodeRequest,
    response: NodeResponse,
    target: string = request.url ?? "/",
  ) {
    this.method = request.method ?? "GET";
    // Web-standard requests have no fragment.
    const fragment = target.indexOf("#");
    this.target = fragment === -1 ? target : target.slice(0, fragment);
    this.#request = request;
    this.#response = response;
  }

  /** Headers that the connection requires in the response. */
  get connectionHeaders(): Readonly<Record<string, string>> {
    return this.#mustClose ? { connection: "close" } : noHeaders;
  }

  /** Whether the connection has to be closed. HTTP/2 has no header for that. */
  get #mustClose(): boolean {
    const { httpVersionMajor, socket } = this.#request;
    const isClosing =
      this.isCutShort ||
      socket?.server?.listening === false ||
      // The client may or may not send the body that it has announced.
      this.#awaitsContinue;
    return isClosing && httpVersionMajor < 2;
  }

  /**
   * Adds to a response's headers the length of its body and the headers that
   * the connection requires.
   */
  headersOf(
    headers: Readonly<Record<string, string>>,
    byteLength: number,
  ): Record<string, string | number> {
    // An object literal with known properties is faster than a spread, and a
    // spread at the end is ten times as fast as one before other properties.
    const all =
      headers === jsonHeaders
        ? { "content-type": jsonType, "content-length": byteLength }
        : { "content-length": byteLength, ...headers };
    // Responses with 204 or 304, or to HEAD, have no body. A length of 0 would
    // be wrong for them, unless the response has its own, as one with 205 has.
    if (byteLength === 0 && headers["content-length"] === undefined) {
      Reflect.deleteProperty(all, "content-length");
    }
    return this.#mustClose ? { ...all, ...this.connectionHeaders } : all;
  }

  /** Whether the request can have a body, even an empty one. */
  get hasBody(): boolean {
    if (this.method === "GET" || this.method === "HEAD") return false;
    const { headers, httpVersionMajor } = this.#request;
    return (
      httpVersionMajor > 1 ||
      headers["content-length"] !== undefined ||
      headers["transfer-encoding"] !== undefined
    );
  }

  /** All headers by lowercase name. */
  get headers(): NodeRequest["headers"] {
    return this.#request.headers;
  }

  header(name: string): string | null {
    const { headers } = this.#request;
    const key = name.toLowerCase();
    // In HTTP/2, `:authority` replaces the host.
    const value =
      headers[key] ?? (key === "host" ? headers[":authority"] : undefined);
    if (typeof value === "string") {
      return onlyFirst.has(key) ? this.#allOf(key, value) : value;
    }
    // Objects inherit properties, so the value must be a string or an array.
    return Array.isArray(value) ? value.join(", ") : null;
  }

  /**
   * Returns the values of a header of which Node keeps only the first. A value that
   * a middleware has set stands for all.
   */
  #allOf(key: string, first: string): string {
    const { rawHeaders = [] } = this.#request;
    let all: string | null = null;
    for (let at = 0; at < rawHeaders.length; at += 2) {
      const name = rawHeaders[at] ?? "";
      if (name.length !== key.length || name.toLowerCase() !== key) continue;
      const value = rawHeaders[at + 1] ?? "";
      if (all === null && value !== first) return first;
      all = all === null ? value : `${all}, ${value}`;
    }
    return all ?? first;
  }

  signal(): AbortSignal {
    if (this.#controller !== null) return this.#controller.signal;
    const controller = new AbortController();
    this.#controller = controller;
    const abort = (): void => {
      if (this.isAnswered) return;
      controller.abort(new WebrpcClientDisconnectedError());
    };
    if (isDisconnected(this.#response)) abort();
    else this.#response.on("close", abort);
    return controller.signal;
  }

  get address(): string | null {
    return this.#request.socket?.remoteAddress ?? null;
  }

  get endsByClose(): boolean {
    return this.#request.httpVersion === "1.0";
  }

  text(limits: BodyLimits, isExact = true): Promise<string> {
    return this.#read(limits, decodeBody, isExact);
  }

  async *chunks(
    limits: BodyLimits,
    kept?: KeptBody,
  ): AsyncGenerator<Uint8Array> {
    const { maxBytes } = limits;
    const request = this.#request;
    this.#beginReading(maxBytes);
    // The request will emit no more events.
    if (request.readableEnded) {
      if (kept && request.headers["content-length"] === "0") return;
      if (kept && !isKept(request, kept)) throw new BodyReadError();
      yield await this.bytes(limits);
      return;
    }
    if (this.#isLost) throw this.#reasonOfLoss();
    const declared = Number(request.headers["content-length"]);
    if (declared > maxBytes) {
      this.isCutShort = declared > maxBytes + maxDiscardedBytes;
      throw bodyTooLarge(maxBytes);
    }
    let byteLength = 0;
    for await (const chunk of readChunks(this.#incomingBody(limits))) {
      byteLength += chunk.byteLength;
      this.receivedBytes = byteLength;
      if (byteLength > maxBytes) {
        this.#cutShort();
        throw bodyTooLarge(maxBytes);
      }
      yield chunk;
    }
  }

  /**
   * Returns the whole body. Errors: those of `text`, except that invalid UTF-8 is
   * allowed.
   */
  bytes(limits: BodyLimits): Promise<Uint8Array> {
    return this.#read(limits, (bytes) => bytes, true);
  }

  /**
   * Whether the client waits for a permission to send the body. Node sends it at
   * once, unless the program listens to `checkContinue`.
   */
  get #awaitsContinue(): boolean {
    const { headers, socket } = this.#request;
    if (headers["expect"] === undefined || this.isRead) return false;
    return (socket?.server?.listenerCount?.("checkContinue") ?? 0) > 0;
  }

  #beginReading(maxBytes: number): void {
    if (this.#awaitsContinue) {
      // A body that is too large is refused before it is sent.
      if (Number(this.#request.headers["content-length"]) > maxBytes) return;
      this.#response.writeContinue?.();
    }
    this.isRead = true;
    this.#response.stream?.on("finish", () => this.#discardRest());
  }

  /**
   * Ends an HTTP/2 stream whose response is complete but whose request body is
   * not. Node only does this for bodies that no code has begun to read. The
   * rest is first discarded for a moment, because some clients must send all of
   * it. Then the stream is closed without an error (RFC 9113, section 8.1).
   */
  #discardRest(): void {
    const { stream } = this.#response;
    if (stream === undefined || this.#request.readableEnded) return;
    this.#request.resume();
    const close = (): void => stream.close();
    // Wait first, because the end of the response has not been sent yet.
    const timer = setTimeout(close, this.isCutShort ? 0 : discardMs);
    stream.on("close", () => clearTimeout(timer));
  }

  /** Returns the whole body, converted by `convert`. */
  #read<Value>(
    limits: BodyLimits,
    convert: (bytes: Uint8Array) => Value,
    isExact: boolean,
  ): Promise<Value> {
    const { maxBytes } = limits;
    const request = this.#request;
    this.#beginReading(maxBytes);
    // The request will emit no more events.
    if (request.aborted === true) {
      return Promise.reject(new WebrpcClientDisconnectedError());
    }
    if (request.readableEnded) {
      return bytesWithin(request, maxBytes, isExact).then((bytes) => {
        this.receivedBytes = bytes.byteLength;
        return convert(bytes);
      });
    }
    if (this.#isLost) return Promise.reject(this.#reasonOfLoss());
    const declared = Number(request.headers["content-length"]);
    if (declared > maxBytes) {
      if (declared > maxBytes + maxDiscardedBytes) this.#cutShort();
      return Promise.reject(bodyTooLarge(maxBytes));
    }
    const count = (byteLength: number): void => {
      this.receivedBytes = byteLength;
    };
    return readBytes(this.#incomingBody(limits), count, convert);
  }

  #incomingBody(limits: BodyLimits): IncomingBody {
    const request = this.#request;
    const response = this.#response;
    return {
      request,
      limits,
      onLost: (listener) => {
        const { stream } = response;
        const lose = (): void => {
          // "close" also follows "end", and creating an error is expensive.
          if (!request.readableEnded) listener(this.#reasonOfLoss());
        };
        request.on("error", lose);
        response.on("close", () => {
          lose();
          const isLeft = !request.readableEnded && stream === undefined;
          if (isLeft && this.#isResponseComplete) {
            discardRest(request, limits, () => this.#cutShort());
          }
        });
        stream?.on("finish", lose);
      },
      onCut: () => this.#cutShort(),
    };
  }

  /** Whether no more of an incomplete body can be read. */
  get #isLost(): boolean {
    return this.#isResponseComplete || isDisconnected(this.#response);
  }

  get #isResponseComplete(): boolean {
    return this.isAnswered || this.#response.writableEnded === true;
  }

  #reasonOfLoss(): Error {
    return this.#isResponseComplete
      ? new BodyEndedError()
      : new WebrpcClientDisconnectedError();
  }

  #cutShort(): void {
    this.isCutShort = true;
    // A response that has been sent could not announce this. For HTTP/2, the
    // stream closes on its own.
    const { httpVersionMajor } = this.#request;
    if (this.#isResponseComplete && httpVersionMajor < 2) {
      this.#request.destroy();
    }
  }
}
