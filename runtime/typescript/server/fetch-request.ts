import { memberOf } from "../values/member.js";
import { Chunks } from "../wire/chunks.js";
import { WebrpcClientDisconnectedError } from "../wire/errors.js";
import { type BodyLimits, BodyPace } from "./model/body-pace.js";
import { clientAddress } from "./model/client-address.js";
import {
  isRetrieval,
  localCaller,
  type ServerRequest,
} from "./model/exchange.js";
import {
  BodyEndedError,
  BodyReadError,
  bodyTooLarge,
  decodeBody,
} from "./requests/body.js";
import { maxDiscardedBytes, UnreadBody } from "./requests/unread-body.js";

/** A web-standard request that is read on demand. */
export class FetchRequest implements ServerRequest {
  readonly method: string;
  readonly target: string;
  receivedBytes = 0;
  readonly #request: Request;
  readonly #readAgain: (() => Promise<ArrayBuffer>) | null;
  readonly #info: unknown;
  #reader: ReadableStreamDefaultReader<Uint8Array> | null = null;
  /** The limit of the body, or 0 if nothing has read it. */
  #maxBytes = 0;
  /** Whether nothing of the body is left to read. */
  #isRead: boolean;
  /** Returns why the body can no longer be read. Null if it can. */
  #loss: (() => Error) | null = null;
  /** Monitors the pending read of the whole body. Null if there is none. */
  #pace: BodyPace | null = null;
  /** Rejects the pending read, or null if there is none. */
  #reject: ((reason: Error) => void) | null = null;
  /** Stops waiting for the client to disconnect. */
  #unlink: (() => void) | null = null;

  /**
   * Input: `info` is what the host passes in addition to the request.
   * `readAgain` returns a body that other code has already read. Null if the
   * host does not keep such bodies.
   */
  constructor(
    request: Request,
    info: unknown,
    readAgain: (() => Promise<ArrayBuffer>) | null,
  ) {
    this.method = request.method;
    this.target = targetOf(request.url);
    this.#request = request;
    this.#info = info;
    this.#readAgain = readAgain;
    this.#isRead = isRetrieval(this) || this.method === "OPTIONS";
  }

  get address(): string | undefined {
    return this.isLocal ? undefined : clientAddress(this.#request, this.#info);
  }

  get endsByClose(): boolean {
    const incoming = memberOf(this.#info, "incoming");
    return (
      memberOf(this.#request, "endsByClose") === true ||
      memberOf(incoming, "httpVersion") === "1.0"
    );
  }

  get isLocal(): boolean {
    return this.#info === localCaller;
  }

  header(name: string): string | null {
    const value = this.#request.headers.get(name);
    // Requests of some hosts only have a URL.
    if (value !== null || name !== "host") return value;
    return new URL(this.#request.url).host;
  }

  signal(): AbortSignal {
    return this.#request.signal;
  }

  text(limits: BodyLimits): Promise<string> {
    const declared = this.#declaredBytes;
    return isBrief(declared, limits) && !this.#request.bodyUsed
      ? this.#readWhole(declared, limits)
      : this.#joined(limits);
  }

  async *chunks(limits: BodyLimits): AsyncGenerator<Uint8Array> {
    const read = this.#open(limits);
    for (;;) {
      const chunk = await read();
      if (chunk === null) return;
      yield chunk;
    }
  }

  /**
   * Called when the response is complete. Reads of an incomplete body then
   * reject.
   */
  end(): void {
    this.#unlink?.();
    this.#lose(bodyEnded);
  }

  /**
   * Returns the part of the body that nobody has read, or null if there is
   * none.
   */
  get unread(): UnreadBody | null {
    if (this.#isRead) return null;
    this.#isRead = true;
    // Like Node's host, discard a body that is only a little too large.
    return new UnreadBody(
      this.#request,
      this.#declaredBytes,
      this.#reader,
      this.#maxBytes + maxDiscardedBytes - this.receivedBytes,
    );
  }

  /** The length of the body according to its header. NaN if unknown. */
  get #declaredBytes(): number {
    return Number(this.#request.headers.get("content-length") ?? "NaN");
  }

  /**
   * Reads a brief body at once. Many hosts do this without creating a stream,
   * which would cost more than a small call.
   */
  #readWhole(declared: number, limits: BodyLimits): Promise<string> {
    const { maxBytes } = limits;
    this.#isRead = true;
    return new Promise((resolve, reject) => {
      const pace = new BodyPace(limits, reject);
      pace.start();
      pace.add(declared);
      if (limits.held?.isFull === true) {
        pace.end();
        this.#isRead = false;
        return;
      }
      this.#pace = pace;
      this.#reject = reject;
      const decode = (buffer: ArrayBuffer): void => {
        this.#reject = null;
        pace.end();
        this.receivedBytes = buffer.byteLength;
        try {
          // Not every host limits a body to its declared length.
          if (buffer.byteLength > maxBytes) throw bodyTooLarge(maxBytes);
          resolve(decodeBody(new Uint8Array(buffer)));
        } catch (error) {
          reject(error);
        }
      };
      const lose = (cause: unknown): void => {
        pace.end();
        reject(new WebrpcClientDisconnectedError({ cause }));
      };
      this.#request.arrayBuffer().then(decode, lose);
    });
  }

  async #joined(limits: BodyLimits): Promise<string> {
    const read = this.#open(limits);
    const chunks = new Chunks();
    for (;;) {
      const chunk = await read();
      if (chunk === null) return decodeBody(chunks.join());
      chunks.add(chunk);
    }
  }

  /** Returns a function that returns the next chunk, or null at the end. */
  #open(limits: BodyLimits): () => Promise<Uint8Array | null> {
    const { maxBytes } = limits;
    const request = this.#request;
    this.#maxBytes = maxBytes;
    if (this.#declaredBytes > maxBytes) throw bodyTooLarge(maxBytes);
    // Do not access the body earlier, because some hosts then wait for it.
    const body = request.bodyUsed ? this.#readAgainStream() : request.body;
    const reader = body?.getReader();
    this.#reader = reader ?? null;
    const cancel = (reason: () => Error): void => {
      this.#lose(reason);
      this.#isRead = true;
      reader?.cancel().catch(() => {});
    };
    const pace = new BodyPace(limits, (error) => cancel(() => error));
    // Not every host ends the body of a client that disconnects.
    const { signal } = request;
    const leave = (): void => cancel(() => new WebrpcClientDisconnectedError());
    signal.addEventListener("abort", leave);
    this.#unlink = () => signal.removeEventListener("abort", leave);
    return async () => {
      const step = await this.#read(pace);
      if (step === null) return null;
      if (this.receivedBytes > maxBytes) throw bodyTooLarge(maxBytes);
      return step;
    };
  }

  /** Returns the next chunk, or null at the end. */
  async #read(pace: BodyPace): Promise<Uint8Array | null> {
    const reader = this.#reader;
    if (this.#loss !== null) throw this.#loss();
    if (reader === null) return null;
    pace.start();
    try {
      const { done, value } = await this.#untilLost(reader.read());
      if (done) {
        this.#isRead = true;
        return null;
      }
      pace.add(value.byteLength);
      this.receivedBytes += value.byteLength;
      return value;
    } catch (cause) {
      if (this.#loss !== null || cause instanceof BodyReadError) throw cause;
      this.#isRead = true;
      throw new WebrpcClientDisconnectedError({ cause });
    } finally {
      this.#reject = null;
      pace.stop();
    }
  }

  /** Waits for a read, but no longer than the body can be read. */
  #untilLost<Value>(read: Promise<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      read.then(resolve, reject);
    });
  }

  #lose(reason: () => Error): void {
    this.#loss ??= reason;
    if (this.#reject === null) return;
    this.#pace?.end();
    this.#reject(this.#loss());
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

/** A function that all requests share. */
const bodyEnded = (): Error => new BodyEndedError();

/** Returns the path and query of an absolute URL without the fragment. */
function targetOf(url: string): string {
  const path = url.indexOf("/", url.indexOf("//") + 2);
  const fragment = url.indexOf("#");
  if (path === -1) return "/";
  return fragment === -1 ? url.slice(path) : url.slice(path, fragment);
}

/**
 * Whether a body can be read at once. Its pace cannot be monitored then, so its
 * declared length may at most double the time that it may take.
 */
function isBrief(declared: number, limits: BodyLimits): boolean {
  const { maxBytes, minRate, timeoutMs } = limits;
  return declared <= maxBytes && declared / minRate <= timeoutMs / 1000;
}
