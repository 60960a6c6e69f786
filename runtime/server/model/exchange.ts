import type { BodyLimits } from "./body-pace.js";

/**
 * One HTTP request, independent of the framework. The body and the signal are
 * only created when they are needed.
 */
export interface ServerRequest {
  /** HTTP method in upper case. */
  readonly method: string;
  /** Path and query as received, e.g. `/rpc/API/GetSwapPrice?x=1`. */
  readonly target: string;
  /** IP address of the connection's other end; null if unknown. */
  readonly address?: string | null;
  /** Returns a header, or null if it is absent. Names ignore case. */
  header(name: string): string | null;
  /**
   * Returns the whole body.
   *
   * Errors: `WebrpcBadRequest` if it is too long or not UTF-8,
   * `WebrpcRequestFailed` with 408 if it arrives too slowly,
   * `WebrpcClientDisconnected` if it never ends, and any other error if this
   * program cannot read it.
   */
  text(limits: BodyLimits): Promise<string>;
  /**
   * Returns the body in pieces, no faster than they are consumed. It need not
   * be text. Errors: see `text`.
   */
  chunks(limits: BodyLimits): AsyncIterable<Uint8Array>;
  /** Aborts when the client disconnects before it has the response. */
  signal(): AbortSignal;
}

/** Whether a request asks for a representation; HEAD leaves out its content. */
export function isRetrieval({ method }: ServerRequest): boolean {
  return method === "GET" || method === "HEAD";
}

/** A body that is sent in pieces. */
export interface BodyStream {
  /**
   * Returns the next piece once the previous one is sent; null at the end. If
   * it rejects, the connection is cut, so that the client does not mistake it
   * for the end.
   */
  next(): Promise<string | Uint8Array | null>;
  /** Discards the rest. Does nothing after the end. */
  cancel(): void;
}

/** One HTTP response, for the framework to send. */
export interface ServerResponse {
  readonly status: number;
  /** Headers by lower-case name, without `content-length`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Empty if there is none. */
  readonly body: string;
  /** Replaces `body`, which is then empty. */
  readonly stream?: BodyStream;
}

/** Answers requests for a set of methods. Its functions need no `this`. */
export interface RpcServer {
  /** Answers web-standard requests, e.g. in Deno, Bun, workers, and tests. */
  readonly fetch: (request: Request) => Promise<Response>;
  /**
   * Answers requests of adapters. Never rejects: failures are responses, too.
   */
  readonly handle: (request: ServerRequest) => Promise<ServerResponse>;
  /** Whether a method exists at this path, for any HTTP method. */
  readonly matches: (target: string) => boolean;
}

/** Answers requests. Never rejects. */
export type Handle = (request: ServerRequest) => Promise<ServerResponse>;

/** The method of a {@link HostedRequest}. */
export const answerBy: unique symbol = /* @__PURE__ */ Symbol("answerBy");

/** A web-standard request of one of our hosts, which can be answered faster. */
export interface HostedRequest {
  /**
   * Returns the response without web-standard objects; null if the request was
   * read or changed on its way here.
   */
  [answerBy](handle: Handle): Promise<Response> | null;
}
