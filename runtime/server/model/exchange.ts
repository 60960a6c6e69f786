import type { BodyLimits } from "./body-pace.js";

/**
 * One HTTP request as the server sees it, whatever host it came through.
 * Everything costly (body, abort signal) is made when it is asked for.
 */
export interface ServerRequest {
  /** HTTP verb in upper case. */
  readonly method: string;
  /** Path and query as they came, e.g. `/rpc/API/GetSwapPrice?x=1`. */
  readonly target: string;
  /** IP address of the client, as the connection has it; null: not known. */
  readonly address?: string | null;
  /** Value of a header, null when it is absent. Names ignore case. */
  header(name: string): string | null;
  /**
   * The whole body.
   *
   * Errors: `WebrpcBadRequest` when it is too long or not UTF-8,
   * `WebrpcRequestFailed` with 408 when it arrives too slowly,
   * `WebrpcClientDisconnected` when it never ends, any other error when the
   * body cannot be read because of this program.
   */
  text(limits: BodyLimits): Promise<string>;
  /**
   * The body piece by piece, no faster than it is taken; it need not be text.
   * Errors: as `text`.
   */
  chunks(limits: BodyLimits): AsyncIterable<Uint8Array>;
  /** Aborts when the client goes away before it has its answer. */
  signal(): AbortSignal;
}

/** Whether a request asks for a representation; HEAD leaves out its content. */
export function isRetrieval({ method }: ServerRequest): boolean {
  return method === "GET" || method === "HEAD";
}

/** A body that is not there all at once. */
export interface BodyStream {
  /**
   * The next piece, to be asked for when the one before has been sent; null at
   * the end. Rejects when there is no way to go on; then the host cuts the
   * connection, so that nobody takes it for the end.
   */
  next(): Promise<string | Uint8Array | null>;
  /** Nobody waits for the rest. Does nothing after the end. */
  cancel(): void;
}

/** One HTTP response, to be written by the host. */
export interface ServerResponse {
  readonly status: number;
  /** By lower-case name. `content-length` is the host's to add. */
  readonly headers: Readonly<Record<string, string>>;
  /** Empty when there is none. */
  readonly body: string;
  /** Takes the place of `body`, which is empty then. */
  readonly stream?: BodyStream;
}

/** A set of methods that answers requests; needs no `this`. */
export interface RpcServer {
  /** Web-standard entry: Deno, Bun, Workers, service workers, tests. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** Neutral entry for adapters. Never rejects: failures are envelopes. */
  readonly handle: (request: ServerRequest) => Promise<ServerResponse>;
  /** Whether a method lives at this path, whatever its verb. */
  readonly matches: (target: string) => boolean;
}

/** What answers requests; never rejects. */
export type Handle = (request: ServerRequest) => Promise<ServerResponse>;

/** The method of a {@link HostedRequest}. */
export const answerBy: unique symbol = /* @__PURE__ */ Symbol("answerBy");

/** A web-standard request of a host of ours, which knows a shorter way. */
export interface HostedRequest {
  /**
   * The answer without the web's objects; null where the request has been read
   * or changed on its way here.
   */
  [answerBy](handle: Handle): Promise<Response> | null;
}
