import type { BodyLimits } from "../../server/model/body-pace.js";
import { WebrpcBadMethodError } from "../../wire/errors.js";
import {
  answerBy,
  type Handle,
  type HostedRequest,
  type ServerRequest,
  type ServerResponse,
} from "../../server/model/exchange.js";
import { type HeaderSource, LazyHeaders } from "./lazy-headers.js";
import { LazyResponse } from "./lazy-response.js";
import { real, standIn } from "./stand-in.js";

/** The request that a host received. */
export interface RequestSource extends ServerRequest, HeaderSource {
  readonly hasBody: boolean;
  /** Whether the body is being read or has been read. */
  readonly isRead: boolean;
  /**
   * Returns the whole body. Errors: those of `text`, except that invalid UTF-8 is
   * allowed.
   */
  bytes(limits: BodyLimits): Promise<Uint8Array>;
}

/**
 * A request from a host without web-standard requests. The URL, the headers,
 * the whole body, and the signal come directly from the host. Any other member,
 * e.g. `body`, `clone`, or `formData`, first creates a real request. Node's own
 * `new Request(this)` and `fetch(this)` reject this object but accept its
 * `clone()`.
 */
export interface LazyRequest extends Request {}

/** Implements the interface above. */
export class LazyRequest implements HostedRequest {
  readonly method: string;
  readonly #origin: string;
  readonly #source: RequestSource;
  readonly #limits: BodyLimits;
  #headers: LazyHeaders | null = null;
  #real: Request | null = null;

  /**
   * Input: `origin` is the URL up to the target. `limits` applies to the body
   * unless a generated server reads it.
   */
  constructor(source: RequestSource, origin: string, limits: BodyLimits) {
    this.method = source.method;
    this.#origin = origin;
    this.#source = source;
    this.#limits = limits;
  }

  get url(): string {
    return this.#origin + this.#source.target;
  }

  get headers(): LazyHeaders {
    this.#headers ??= new LazyHeaders(this.#source);
    return this.#headers;
  }

  get signal(): AbortSignal {
    return this.#source.signal();
  }

  get bodyUsed(): boolean {
    return this.#real === null ? this.#source.isRead : this.#real.bodyUsed;
  }

  get remoteAddr(): { readonly hostname: string | null } {
    return { hostname: this.#source.address ?? null };
  }

  /** See {@link HostedRequest}. */
  get endsByClose(): boolean {
    return this.#source.endsByClose === true;
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    if (!this.#isReadable) return this[real]().arrayBuffer();
    const bytes = await this.#source.bytes(this.#limits);
    // The underlying memory may contain more than this body.
    return new Uint8Array(bytes).buffer;
  }

  async text(): Promise<string> {
    if (!this.#isReadable) return this[real]().text();
    return utf8.decode(await this.#source.bytes(this.#limits));
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }

  /** See {@link answerBy}. */
  [answerBy](handle: Handle): Promise<Response> | null {
    const isUntouched =
      this.#real === null &&
      !this.#source.isRead &&
      this.#headers?.isUntouched !== false;
    return isUntouched ? handle(this.#source).then(toLazy) : null;
  }

  [real](): Request {
    if (this.#real !== null) return this.#real;
    const { hasBody, isRead } = this.#source;
    const { headers, method, signal, url } = this;
    if (forbidden.test(method)) {
      throw new WebrpcBadMethodError({ cause: `${method} is not supported` });
    }
    const body = isRead ? "" : toReadable(this.#source.chunks(this.#limits));
    const init = { method, headers, signal, duplex: "half" };
    this.#real = new Request(url, hasBody ? { ...init, body } : init);
    // Mark the body as used, because a body can only be read once.
    if (isRead) void this.#real.arrayBuffer();
    headers.follow(this.#real.headers);
    return this.#real;
  }

  /** Whether the body can still be read without a real request. */
  get #isReadable(): boolean {
    const { hasBody, isRead } = this.#source;
    return this.#real === null && hasBody && !isRead;
  }

  static {
    standIn(this.prototype, Request.prototype);
  }
}

function toReadable(
  chunks: AsyncIterable<Uint8Array>,
): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await iterator.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      cancel: async () => {
        await iterator.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}

/**
 * HTTP methods that web-standard requests cannot have (Fetch Standard, section
 * 2.2.1).
 */
const forbidden = /^(?:CONNECT|TRACE|TRACK)$/u;

const utf8 = /* @__PURE__ */ new TextDecoder();

function toLazy(answer: ServerResponse): LazyResponse {
  return new LazyResponse(answer);
}
