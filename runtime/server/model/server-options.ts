import type { CorsOptions } from "./cors.js";
import type { RequestContext, RequestFacts } from "./context.js";
import type { ServerRequest } from "./exchange.js";
import type { Interceptor } from "./interceptor.js";
import type { Observe } from "./observation.js";
import type { Failure } from "../../values/validation.js";

/** Settings that every generated server takes besides its handlers. */
export interface ServerOptions<State = undefined> extends MethodOptions {
  /**
   * Makes the state of a request before its credentials are checked; verifiers
   * and the handler find it as `context.state`. Needed by all who choose a
   * `State`.
   */
  readonly createState?: (facts: RequestFacts) => State | Promise<State>;
  /**
   * Hears of every failure that is the server's: unexpected exceptions, errors
   * with a status of 500 and above, responses that do not fit the contract.
   * Nothing of it is on the wire. Without it, unexpected exceptions and responses
   * that do not fit go to `console.error`.
   */
  readonly onError?: (error: unknown, info: ErrorInfo) => void;
  /** Stand around every handler, the first outermost. */
  readonly interceptors?: readonly Interceptor<State>[];
  /** Hears of every request and its answer; for logs, metrics and traces. */
  readonly observe?: Observe;
  /**
   * Whether methods marked `@readonly` answer to GET too, with the request as
   * JSON in the query parameter `request`. Off unless given.
   */
  readonly readsByGet?: boolean;
  /**
   * Whose request it is: requests for which it returns the same text share the
   * limits of one tenant; null stands for a request without such limits. It is
   * called when the credentials are verified. Unless given, the tenant is the
   * method's first credential, else the client's address as the connection has
   * it, so behind a proxy it is needed.
   */
  readonly tenant?: (
    context: RequestContext<State>,
    request: ServerRequest,
  ) => string | null;
  /**
   * How many request bodies of one tenant may be arriving at once; further
   * requests get 429. Unlimited unless given.
   */
  readonly maxBodiesPerTenant?: number;
  /** Is called for each request that starts or stops waiting in the queue. */
  readonly onQueue?: (change: 1 | -1) => void;
  /** What differs for single methods, e.g. for `Marketplace/GetOrders`. */
  readonly methods?: Readonly<Record<string, MethodOptions | undefined>>;
  /**
   * What happens to a response that does not fit the contract: `throw` answers
   * 500 `WebrpcBadResponse`, `log` only tells `onError`, `off` does not look.
   * `throw` unless given. What the contract does not know is left out, except
   * with `off`.
   */
  readonly validateResponses?: ResponseValidation;
  /** Lets web pages of other origins call the server; none unless given. */
  readonly cors?: CorsOptions;
}

/** Settings of a method. What they do not say, the server's options say. */
export interface MethodOptions {
  /** Longest request body in bytes; 1 MiB unless given. */
  readonly maxBodyBytes?: number;
  /**
   * Longest request with files, in bytes: 32 MiB unless given. A single file is
   * read as it comes, several are held in memory.
   */
  readonly maxUploadBytes?: number;
  /**
   * How deep lists and objects may be nested in a request: 100 levels unless
   * given, 1000 at most.
   */
  readonly maxDepth?: number;
  /**
   * How long an answer may take, in milliseconds: 60,000 unless given,
   * `Infinity` for no limit. Clients may ask for less with the header
   * `Request-Timeout-Ms`. When the time is up, the signal of the request aborts
   * and the answer is `WebrpcRequestFailed` with 504. Streams have to begin in
   * that time; how long they last is not limited.
   */
  readonly timeoutMs?: number;
  /**
   * After how many milliseconds of silence a stream says that it is alive;
   * 10,000 unless given.
   */
  readonly keepAliveMs?: number;
  /**
   * How long a request body may take to arrive, in milliseconds: 10,000 unless
   * given, and a second more for each `minBodyRate` bytes that have arrived. A
   * slower body is `WebrpcRequestFailed` with 408.
   */
  readonly bodyTimeoutMs?: number;
  /** Bytes of a body that add a second to `bodyTimeoutMs`; 500 unless given. */
  readonly minBodyRate?: number;
  /**
   * How many handlers may run at once; further requests are
   * `WebrpcRequestFailed` with 503 and `Retry-After`. Unlimited unless given.
   * The server's own limit counts all its methods together.
   */
  readonly maxConcurrent?: number;
  /**
   * The same for the requests of one tenant, which get 429 beyond that.
   * Unlimited unless given.
   */
  readonly maxConcurrentPerTenant?: number;
  /**
   * How many requests may wait for a handler to end, or for time in the event
   * loop, before further ones are refused: none unless given. Tenants take turns.
   */
  readonly maxQueued?: number;
  /** How long a request waits in that queue: 2,000 ms unless given. */
  readonly queueMs?: number;
  /**
   * `Cache-Control` of answers to GET, which then have an `ETag`, e.g.
   * `public, max-age=60`. Unless given it is `private, no-cache` for methods read
   * by GET besides POST, and nothing for REST reads.
   */
  readonly cacheControl?: string;
}

/** What happens to a response that does not fit the contract. */
export type ResponseValidation = "throw" | "log" | "off";

/** Where a failure happened. */
export interface ErrorInfo {
  /** Service as in RIDL. */
  readonly service: string;
  /** Method as in RIDL. */
  readonly method: string;
  readonly request: ServerRequest;
  /** What did not fit in a response; empty for other failures. */
  readonly failures: readonly Failure[];
}
