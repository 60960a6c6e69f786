import type { BodyLimits } from "./body-pace.js";
import type { PaceLimits } from "./pace.js";

/** What a parser that ran before the server must have kept of a body. */
export type KeptBody = "bytes" | "text";

/**
 * One HTTP request, independent of the framework. Adapters create the body and
 * the signal only when they are needed.
 */
export interface ServerRequest {
  /** HTTP method in upper case. */
  readonly method: string;
  /** Path and query as received, e.g. `/rpc/API/GetSwapPrice?x=1`. */
  readonly target: string;
  /**
   * IP address of the client. Null or absent if it is unknown or there is none.
   * Unless `isLocal` is true, limits per tenant then require the server option
   * `tenant`.
   */
  readonly address?: string | null | undefined;
  /** Whether the client is in the same process. */
  readonly isLocal?: boolean;
  /**
   * Whether a response of unknown length ends when the connection closes, as over
   * HTTP/1.0. Absent if the host does not know it.
   */
  readonly endsByClose?: boolean;
  /** Number of bytes of the body that have been read. */
  readonly receivedBytes?: number | undefined;
  /** Returns a header, or null if it is absent. Names are case-insensitive. */
  header(name: string): string | null;
  /**
   * Returns the whole body. Integers that a body parser may have rounded are an
   * error, unless `isExact` is false.
   *
   * Errors: `WebrpcBadRequest` if the body is too long or not UTF-8,
   * `WebrpcRequestFailed` with 408 if it arrives too slowly,
   * `WebrpcClientDisconnected` if it is incomplete, and any other error if this
   * program cannot read it.
   */
  text(limits: BodyLimits, isExact?: boolean): Promise<string>;
  /**
   * Returns the body in pieces, no faster than they are consumed. The body can
   * be binary. Errors: see `text`. With `kept`, a body of which a parser has kept
   * less is an error, too.
   */
  chunks(limits: BodyLimits, kept?: KeptBody): AsyncIterable<Uint8Array>;
  /**
   * Returns a signal that aborts if the client disconnects before it has
   * received the response.
   */
  signal(): AbortSignal;
}

/**
 * Returns a request that differs from another one only in the given members.
 *
 * Example: `changeRequest(request, { target: "/rpc/API/GetSwapPrice" })`.
 */
export function changeRequest(
  request: ServerRequest,
  changes: Partial<ServerRequest>,
): ServerRequest {
  // The type names every member, so that none is left out.
  const whole: Required<ServerRequest> = {
    method: request.method,
    target: request.target,
    get address() {
      return request.address;
    },
    isLocal: request.isLocal === true,
    endsByClose: request.endsByClose === true,
    get receivedBytes() {
      return request.receivedBytes;
    },
    header: (name) => request.header(name),
    text: (limits, isExact) => request.text(limits, isExact),
    chunks: (limits, kept) => request.chunks(limits, kept),
    signal: () => request.signal(),
  };
  return Object.assign(whole, changes);
}

/** Whether a request is a GET or a HEAD. A HEAD response omits the content. */
export function isRetrieval({ method }: ServerRequest): boolean {
  return method === "GET" || method === "HEAD";
}

/** What is sent at once. */
export type Piece = string | Uint8Array;

/** A body that is sent in pieces. */
export interface BodyStream {
  /**
   * Returns the next piece after the previous one is sent, and null at the end.
   * If there is none yet, returns undefined and calls `wake` later, when it is
   * worth asking again. If it throws, the connection is cut, so that the client
   * does not mistake the failure for the end.
   */
  take(wake: () => void): Piece | null | undefined;
  /**
   * Discards the rest. Has no effect after the end. The reason is the error for
   * the code that produces the body, by default `WebrpcClientDisconnected`.
   */
  cancel(reason?: Error): void;
  /**
   * Called when the client takes the body too slowly. The host sets it, to close
   * the connection.
   */
  onSlow?: () => void;
}

/** One HTTP response for the framework to send. */
export interface ServerResponse {
  readonly status: number;
  /**
   * Headers by lowercase name. Only files of a known size include
   * `content-length`.
   */
  readonly headers: Readonly<Record<string, string>>;
  /** Values of `Set-Cookie`, each of which is a line of its own. Default: none. */
  readonly cookies?: readonly string[];
  /** The whole body. Empty if there is none. */
  readonly body: string;
  /** Replaces `body`, which is empty in this case. */
  readonly stream?: BodyStream;
  /** How slowly the client may take `body`. */
  readonly pace?: PaceLimits;
}

/**
 * Responds to requests for a set of methods. Its functions do not use `this`.
 */
export interface RpcServer {
  /**
   * Handles web-standard requests, e.g. in Deno, Bun, workers, and tests. `info`
   * is what the host passes in addition to the request. It is used to find the
   * client's address.
   */
  readonly fetch: (request: Request, info?: unknown) => Promise<Response>;
  /**
   * Handles requests from adapters. Never rejects, because failures are
   * responses.
   */
  readonly handle: (request: ServerRequest) => Promise<ServerResponse>;
  /** Returns whether a method exists at this path, for any HTTP method. */
  readonly matches: (target: string) => boolean;
}

/** The `info` of a request from the same process. */
export const localCaller: object = /* @__PURE__ */ Object.freeze({});

/** Handles a request. Never rejects. */
export type Handle = (request: ServerRequest) => Promise<ServerResponse>;

/** The key of the method of a {@link HostedRequest}. */
export const answerBy: unique symbol = /* @__PURE__ */ Symbol("answerBy");

/**
 * A web-standard request from one of the runtime's hosts, which can be handled
 * faster.
 */
export interface HostedRequest {
  /**
   * Returns the response without converting the request to a web-standard
   * object, or null if the request has already been read or changed.
   */
  [answerBy](handle: Handle): Promise<Response> | null;
  /** The client's address, as `remoteAddr` of Deno. */
  readonly remoteAddr: { readonly hostname: string | null };
  /** See {@link ServerRequest.endsByClose}. */
  readonly endsByClose: boolean;
}
