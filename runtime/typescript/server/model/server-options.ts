import type { CorsOptions } from "./cors.js";
import type { RequestContext, RequestFacts } from "./context.js";
import type { ServerRequest } from "./exchange.js";
import type { Idempotency } from "./idempotency.js";
import type { Interceptor } from "./interceptor.js";
import type { Observe } from "./observation.js";
import type { Failure } from "../../values/validation.js";

/** Requires `createState` if the state of a server has a type. */
export type RequiredState<State> = undefined extends State
  ? unknown
  : Required<Pick<ServerOptions<State>, "createState">>;

/** Options, besides the handlers, that every generated server accepts. */
export interface ServerOptions<State = undefined> extends MethodOptions {
  /**
   * Creates the state of a request before its credentials are verified.
   * Verifiers and handlers read it as `context.state`. Required if the server
   * has a `State` type.
   */
  readonly createState?: (facts: RequestFacts) => State | Promise<State>;
  /**
   * Called for every server-side failure: unexpected exceptions, errors with a
   * status of 500 or above, and invalid responses. Clients see no details of
   * unexpected exceptions or invalid responses. Default: unexpected exceptions
   * and invalid responses go to `console.error`.
   */
  readonly onError?: (error: unknown, info: ErrorInfo) => void;
  /** Interceptors around every handler. The first is the outermost. */
  readonly interceptors?: readonly Interceptor<State>[];
  /**
   * Called for every request and its response, except CORS preflights. Use it
   * for logs, metrics, and traces.
   */
  readonly observe?: Observe;
  /**
   * Whether `@readonly` methods can also be called with GET and the request as
   * JSON in the `request` query parameter. Default: `false`.
   */
  readonly readsByGet?: boolean;
  /**
   * Returns the tenant of a request. Called after the request's credentials are
   * verified. Requests from the same tenant share the limits per tenant. Null
   * means that these limits do not apply. Default: the method's first
   * credential, or, if the method requires none, the client's IPv4 address or
   * the first 64 bits of its IPv6 address. Behind a proxy, this is the proxy's
   * address. If the address is unknown, methods with such limits fail with 500.
   *
   * Input: `credential` is the method's first credential, which a verifier has
   * accepted, or null if the method requires none. Do not use a header that is
   * not verified, because a client that changes it is always a new tenant.
   */
  readonly tenant?: (
    context: RequestContext<State>,
    request: ServerRequest,
    credential: string | null,
  ) => string | null;
  /**
   * Returns who makes a call with an idempotency key, such as the ID of the user
   * that a verifier has put into the state. Only this caller gets the answer
   * again. Called after the request's credentials are verified. Required if a
   * method with `@idempotencyKey` has credentials. Null means that anyone makes
   * the call, which is an error if the method has credentials.
   *
   * The caller must be the same in all attempts of a call. An address changes
   * with the network and a token expires, so this function cannot read headers.
   */
  readonly caller?: (context: CallerContext<State>) => string | null;
  /**
   * Maximum number of request bodies received from one tenant at the same time.
   * Further requests fail with 429. Default: unlimited.
   */
  readonly maxBodiesPerTenant?: number;
  /**
   * Called with 1 when a request starts to wait in the queue, and with -1 when
   * it stops. Exceptions are ignored.
   */
  readonly onQueue?: (change: 1 | -1) => void;
  /** Options for individual methods by name, e.g. `Marketplace/GetOrders`. */
  readonly methods?: Readonly<Record<string, MethodOptions | undefined>>;
  /**
   * What to do with a response that violates the contract. `throw` responds
   * with 500 `WebrpcBadResponse`, `log` reports it to `onError` and sends it
   * unchanged, and `off` does not validate. Undeclared properties of valid
   * responses are removed, except with `off`. Default: `throw`.
   */
  readonly validateResponses?: ResponseValidation;
  /**
   * Allows web pages from other origins to call the server. Default: no CORS
   * headers.
   */
  readonly cors?: CorsOptions;
  /**
   * Answers calls with the same key once. Create it with `idempotency` of
   * `@ridlkit/runtime/idempotency`. Required if a method has
   * `@idempotencyKey`.
   */
  readonly idempotency?: Idempotency;
}

/**
 * The part of a request's context that identifies its caller: what verifiers
 * have put into the state, or set with a key.
 */
export type CallerContext<State = undefined> = Pick<
  RequestContext<State>,
  "get" | "method" | "parameters" | "service" | "state"
>;

/** Requires `caller` if a method with `@idempotencyKey` has credentials. */
export type RequiredCaller<State> = Required<
  Pick<ServerOptions<State>, "caller">
>;

/** Requires `idempotency` if a method of the server has `@idempotencyKey`. */
export type RequiredIdempotency = Required<Pick<ServerOptions, "idempotency">>;

/**
 * Options for a method. They override the server's options, except that the
 * server's limits on running handlers still apply.
 */
export interface MethodOptions {
  /** Maximum size of a request body in bytes. Default: 1 MiB. */
  readonly maxBodyBytes?: number;
  /**
   * Maximum size in bytes of a request with files. Files are kept in memory,
   * but a file that no other file can follow is streamed. Default: 32 MiB.
   */
  readonly maxUploadBytes?: number;
  /**
   * Maximum nesting depth of lists and objects in a request, up to 1000.
   * Default: 100.
   */
  readonly maxDepth?: number;
  /**
   * Milliseconds until a request fails with 504 `WebrpcRequestFailed` and its
   * signal aborts. `Infinity` means no limit. A request can shorten the time
   * with the `Request-Timeout-Ms` header. An upload must end within this time. A
   * stream or a download must start within it, but can last longer. Default:
   * 60,000.
   */
  readonly timeoutMs?: number;
  /**
   * Milliseconds of silence after which a stream sends a keep-alive. Must be
   * less than the idle timeout of hosts and proxies, such as Bun's 10 seconds.
   * Default: 5,000.
   */
  readonly keepAliveMs?: number;
  /**
   * Milliseconds within which a request body must arrive. Every `minBodyRate`
   * bytes add one second. A slower body fails with 408 `WebrpcRequestFailed`.
   * Default: 10,000.
   */
  readonly bodyTimeoutMs?: number;
  /** Number of bytes that extend `bodyTimeoutMs` by a second. Default: 500. */
  readonly minBodyRate?: number;
  /**
   * Milliseconds after which a response is cut off if the client takes none of
   * it. Default: 30,000.
   */
  readonly sendTimeoutMs?: number;
  /**
   * Minimum average number of bytes of a response that the client must take per
   * second. Time in which there is nothing to send does not count. Default: 500.
   */
  readonly minSendRate?: number;
  /**
   * Maximum number of handlers that run at the same time. Further requests fail
   * with 503 `WebrpcRequestFailed` and `Retry-After`. The server's limit counts
   * all methods together. A handler that ignores its signal counts until
   * `timeoutMs` has passed, even if the client waits for a shorter time. A
   * stream, a file, or a response of more than 64 KiB counts until the client
   * has taken it. Default: unlimited.
   */
  readonly maxConcurrent?: number;
  /**
   * Maximum number of handlers that run at the same time for one tenant.
   * Further requests fail with 429. Default: unlimited.
   */
  readonly maxConcurrentPerTenant?: number;
  /**
   * Maximum number of requests that wait for a handler to finish or for time on
   * the event loop. Tenants take turns. Further requests are rejected. Default:
   * 0.
   */
  readonly maxQueued?: number;
  /** Maximum time in the queue in milliseconds. Default: 2,000. */
  readonly queueMs?: number;
  /**
   * `Cache-Control` header of responses to GET, e.g. `public, max-age=60`.
   * Responses with this header also have an `ETag`. Default: `private,
   * no-cache` for methods that `readsByGet` applies to and for `@get` methods
   * that need credentials. Other `@get` methods have no such header by default.
   */
  readonly cacheControl?: string;
}

/** What to do with responses that violate the contract. */
export type ResponseValidation = "throw" | "log" | "off";

/** The details of a failure. */
export interface ErrorInfo {
  /** Name of the service in RIDL. */
  readonly service: string;
  /** Name of the method in RIDL. */
  readonly method: string;
  readonly request: ServerRequest;
  /** Violations in the response. Empty for other failures. */
  readonly failures: readonly Failure[];
}
