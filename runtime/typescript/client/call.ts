import type { BareError } from "../wire/bare-error.js";
import type { Address, AddressParameters } from "./address.js";
import type { CallError } from "./transport-error.js";

/** Headers in any form that `fetch` accepts. */
export type HeadersInput = NonNullable<
  ConstructorParameters<typeof Headers>[0]
>;

/**
 * Headers, or a function that returns them. The function is called before each
 * request.
 */
export type HeadersSource =
  HeadersInput | (() => HeadersInput | Promise<HeadersInput>);

/**
 * A key or token, or a function that returns it. The function is called before
 * each request. Nothing is sent for `undefined` or an empty text.
 */
export type CredentialValue =
  string | (() => string | undefined | Promise<string | undefined>);

/** The part of `fetch` that clients use. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Options for all calls of a client or sender. */
export interface SenderOptions {
  /**
   * Credentials by option name, e.g. `{ accessKey: "…" }`. Only methods that
   * accept a credential send it.
   */
  readonly credentials?: object;
  /** Headers for every request. They override headers that the client sets. */
  readonly headers?: HeadersSource;
  /** Sends requests. Default: the global `fetch`. */
  readonly fetch?: Fetch;
  /**
   * Maximum time in milliseconds from the start of a call to the end of its
   * response, including all attempts. Default: no limit for clients, and 30,000
   * for senders of webhooks. `Infinity` removes the limit.
   */
  readonly timeoutMs?: number;
  /** Aborts every call. */
  readonly signal?: AbortSignal;
  /**
   * Interceptors around every call and around the opening of every stream. The
   * first is the outermost.
   */
  readonly use?: readonly ClientInterceptor[];
}

/** Options for a client. */
export interface ClientOptions extends SenderOptions {
  /**
   * Base address of the server, e.g. `https://api.example.com`, or
   * `address("https://{network}-indexer.example.com")`. Trailing slashes are
   * ignored.
   */
  readonly baseUrl: string | Address;
  /** Values for the placeholders of addresses. */
  readonly parameters?: AddressParameters;
}

/** Options for a single call. */
export interface CallOptions {
  /** Additional headers. They override the client's headers of the same name. */
  readonly headers?: HeadersSource;
  /** Aborts this call. The client's signal also applies. */
  readonly signal?: AbortSignal;
  /** Replaces the client's `timeoutMs`. */
  readonly timeoutMs?: number;
  /**
   * Additional values for the placeholders of the address. They override the
   * client's values of the same name.
   */
  readonly parameters?: AddressParameters;
  /** Available as `call.context` in interceptors. Default: an empty object. */
  readonly context?: object;
  /**
   * Identifies the call, if its method has `@idempotencyKey`. Repeat it with the
   * same key, e.g. after a restart of the program, to get the answer of the
   * first call. Other methods ignore it. Default: a random key for each call.
   */
  readonly idempotencyKey?: string;
}

/** The outcome of a call as a value. */
export type Result<Value, Failure> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: Failure };

/** Arguments of a call. The request is optional if all its fields are. */
export type CallArguments<Request> = {} extends Request
  ? [request?: Request, options?: CallOptions]
  : [request: Request, options?: CallOptions];

/**
 * Calls one method.
 *
 * Errors: RpcError with the server's error (`Failure` lists the declared
 * errors). TransportError if there is no valid response. TypeError if an
 * address parameter is missing, or if a URL or header is invalid. Any error
 * from encoding an invalid request, from interceptors, and from functions in
 * the options.
 */
export interface Call<Request, Response, Failure> {
  (...args: CallArguments<Request>): Promise<Response>;
  /** Calls the method and returns an RpcError instead of throwing it. */
  result(
    ...args: CallArguments<Request>
  ): Promise<Result<Response, CallError<Failure>>>;
}

/** Calls one method of an outbound service at a given address. */
export interface Send<Request, Failure> {
  (url: string, request: Request, options?: CallOptions): Promise<void>;
  /** Calls the method and returns an RpcError instead of throwing it. */
  result(
    url: string,
    request: Request,
    options?: CallOptions,
  ): Promise<Result<void, CallError<Failure>>>;
}

/**
 * A call as interceptors see it: all options, and the method. An interceptor
 * can pass on a changed copy: `next({ ...call, headers: [...call.headers, {
 * "x-trace": id }] })`.
 */
export interface ClientCall extends Omit<
  ClientOptions,
  "headers" | "parameters" | "signal" | "use"
> {
  /** The method. `method.path` identifies it, e.g. `/rpc/API/GetSwapPrice`. */
  readonly method: ClientMethod;
  /** The request in its TypeScript form. */
  readonly request: unknown;
  /** Values for the placeholders of the address. */
  readonly parameters: AddressParameters;
  /** Sources of headers. Later ones override earlier ones. */
  readonly headers: readonly (HeadersSource | undefined)[];
  /**
   * Aborts when one of the caller's signals aborts or the deadline passes. Null
   * if neither can happen.
   */
  readonly signal: AbortSignal | null;
  /**
   * Whether the call opens a stream. If so, `next` does not return the items,
   * and `timeoutMs` limits only the wait for the response to begin.
   */
  readonly isStream?: boolean;
  /** Number of the attempt, starting at 2. Absent for the first attempt. */
  readonly attempt?: number;
  /**
   * Values that interceptors share, by key (see `createKey`). All attempts use
   * the same object.
   */
  readonly context: object;
  /** The caller's key for the call, if any. */
  readonly idempotencyKey?: string;
}

/** Continues a call and returns the response in its TypeScript form. */
export type ClientNext = (call: ClientCall) => Promise<unknown>;

/**
 * Wraps the calls of a client. The interceptor runs again for each call, so
 * keep state that outlives a call outside the interceptor. The returned
 * function can return a response itself, call `next` several times, or throw.
 *
 * Example: `(next) => async (call) => { log(call.method.path); return
 * next(call); }`.
 */
export type ClientInterceptor = (next: ClientNext) => ClientNext;

/**
 * A header or a parameter of the query that carries a credential, e.g.
 * `["secret", "authorization", "Bearer "]`.
 */
export type MethodCredential = readonly [
  /** Name of the credential in the client's `credentials` option. */
  option: string,
  /**
   * Name of the header in lowercase, or `?` and the name of the parameter (see
   * `fillKeys`).
   */
  header: string,
  /** Text before the value. */
  prefix?: string,
];

/**
 * Fills the path of a call, like `fillParameters` in
 * `@ridlkit/runtime/client`.
 */
export type FillPath = (
  path: string,
  parameters: AddressParameters,
  /** The request in its wire form. */
  message: unknown,
  /** The headers of the request, which the function can change. */
  headers: Record<string, string>,
) => string;

/**
 * How a field of a response is written in a header, by default as text, and what
 * it is without the header.
 */
export type HeaderField = readonly [
  field: string,
  form?: "text" | "json" | "texts" | "jsons",
  absent?: readonly [],
];

/**
 * Reads an envelope, like `fromEnvelope` in `@ridlkit/runtime/errors`. Input: the
 * JSON of a response or of the end of a stream, or undefined if it is not JSON,
 * its HTTP status, the text of the response, from which integers can be read
 * without rounding, its headers, and a function that returns fields in them in
 * their JSON form.
 */
export type ReadError = (
  json: unknown,
  status: number,
  text?: string,
  headers?: Headers,
  fieldsIn?: (fields: Readonly<Record<string, HeaderField>>) => object,
) => BareError | undefined;

/** Properties of a method other than its path. */
export interface ClientMethodOptions<Request = unknown, Response = unknown> {
  /** Credentials that are sent if the client has them. Default: none. */
  readonly credentials?: readonly MethodCredential[];
  /** Whether a call may be repeated. Default: `none`. */
  readonly safety?: "none" | "idempotent" | "readonly";
  /**
   * The cause of an error about an invalid response, because messages can contain
   * sensitive fields. Default: the beginning of the response.
   */
  readonly hidden?: string;
  /**
   * Converts a request to its JSON form without changing the request. `encode`
   * is declared as a method so that methods with any request type are assignable
   * to `ClientMethod`.
   */
  encode?(request: Request): unknown;
  /** Converts a response to its TypeScript form. May change its argument. */
  readonly decode?: (message: unknown) => Response;
  /**
   * Replaces `JSON.stringify`, e.g. with `stringifyMessage` from
   * `@ridlkit/runtime/codegen/message-json` for requests with `bigint`. If it returns null, the
   * request has no body.
   */
  readonly stringify?: (message: unknown) => string | null;
  /**
   * Replaces `JSON.parse`, e.g. with `parseJsonObject` from
   * `@ridlkit/runtime/codegen/message-json` for responses with `bigint`. Throws if the text is
   * invalid.
   */
  readonly parse?: (text: string) => unknown;
  /**
   * Reads the envelope of a failed call. Default: `fromEnvelope`, which ignores
   * the error's data.
   */
  readonly error?: ReadError;
  /** Fills the placeholders of the path. Default: the path has none. */
  readonly fill?: FillPath;
  /** The HTTP method. Default: POST. */
  readonly verb?: string;
  /** Identifies the webhook to receivers that accept several. */
  readonly event?: string;
  /** Interceptors around those of the client. Default: none. */
  readonly use?: readonly ClientInterceptor[];
  /**
   * Returns a `fetch` for streams, whose responses are lines, or for files. Calls
   * without either ignore it. Default: `fetch` itself.
   */
  readonly via?: (send: Fetch) => Fetch;
  /**
   * Returns the request that continues a lost stream after its last item. Default:
   * streams start again.
   */
  resume?(request: Request, last: Response | undefined): Request;
}

/**
 * Describes how to call a method. `rpc`, `rest`, `get`, and `webhook` create
 * such objects.
 */
export interface ClientMethod<
  Request = unknown,
  Response = unknown,
  Failure = unknown,
> extends ClientMethodOptions<Request, Response> {
  /** The path in the contract, e.g. `/tokens/{network}/{tokenIDs}`. */
  readonly path: string;
  /** Always absent. It only carries a type. */
  readonly failure?: Failure;
}
