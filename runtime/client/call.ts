import type { Address, AddressParameters } from "./address.js";
import type { ClientMethod } from "./client-method.js";
import type { TransportError } from "./transport-error.js";

/** Headers in any form that `fetch` takes. */
export type HeadersInput = NonNullable<
  ConstructorParameters<typeof Headers>[0]
>;

/** Headers, or a function that is asked for them before each call. */
export type HeadersSource =
  HeadersInput | (() => HeadersInput | Promise<HeadersInput>);

/** A secret or key, or a function that is asked for it before each call. */
export type CredentialValue = string | (() => string | Promise<string>);

/** As much of `fetch` as is used, so that it is easy to replace. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** What holds for every call of a client, wherever it goes. */
export interface SenderOptions {
  /** Values by option name, e.g. `{ accessKey: "…" }`. */
  readonly credentials?: object;
  /** Sent with every call; they replace what the client would send itself. */
  readonly headers?: HeadersSource;
  /** Default: the global one, looked up at each call. */
  readonly fetch?: Fetch;
  /**
   * Milliseconds from a call to the end of its answer, all attempts included; no
   * limit unless given. `Infinity` at a call lifts the limit of the client.
   */
  readonly timeoutMs?: number;
  /** Aborts every call. */
  readonly signal?: AbortSignal;
  /** Stand around every call, and around the opening of a stream; the first outermost. */
  readonly use?: readonly ClientInterceptor[];
}

/** What holds for every call of a client. */
export interface ClientOptions extends SenderOptions {
  /**
   * Where the server is, e.g. `https://api.example.com`, or with placeholders
   * `address("https://{network}-indexer.example.com")`. Slashes at its end do not
   * matter.
   */
  readonly baseUrl: string | Address;
  /** Values for the placeholders of addresses. */
  readonly parameters?: AddressParameters;
}

/** What holds for one call; wins over what holds for the client. */
export interface CallOptions {
  readonly headers?: HeadersSource;
  /** Aborts this call; that of the client still does, too. */
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  readonly parameters?: AddressParameters;
  /** What interceptors find as `call.context`; an empty object unless given. */
  readonly context?: object;
}

/** Outcome of a call that does not throw. */
export type Result<Value, Failure> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: Failure };

/** The request may be left out when it has no field that must be there. */
export type CallArguments<Request> = {} extends Request
  ? [request?: Request, options?: CallOptions]
  : [request: Request, options?: CallOptions];

/**
 * One method of a client.
 *
 * Errors: RpcError as the server answers it (`Failure` says which are declared),
 * TransportError when there is no such answer, TypeError when a parameter of the
 * address is missing, or when no request can have such a URL or header.
 */
export interface Call<Request, Response, Failure> {
  (...args: CallArguments<Request>): Promise<Response>;
  /** The same, but an RpcError is returned and not thrown. */
  result(
    ...args: CallArguments<Request>
  ): Promise<Result<Response, Failure | TransportError>>;
}

/** One method of an outbound service: goes to an address that is given. */
export interface Send<Request, Failure> {
  (url: string, request: Request, options?: CallOptions): Promise<void>;
  /** The same, but an RpcError is returned and not thrown. */
  result(
    url: string,
    request: Request,
    options?: CallOptions,
  ): Promise<Result<void, Failure | TransportError>>;
}

/**
 * A call on its way to the server: the options of the client with those of the
 * call over them, and what is called. Interceptors may go on with a changed
 * copy: `next({ ...call, headers: [...call.headers, { "x-trace": id }] })`.
 */
export interface ClientCall extends Omit<
  ClientOptions,
  "headers" | "parameters" | "signal" | "use"
> {
  /** `method.path` names it, e.g. `/rpc/API/GetSwapPrice`. */
  readonly method: ClientMethod;
  /** The request message, in the caller's form. */
  readonly request: unknown;
  readonly parameters: AddressParameters;
  /** Later ones win. */
  readonly headers: readonly (HeadersSource | undefined)[];
  /**
   * Aborts when a signal of the caller does, and when the time is up; null when
   * neither can happen.
   */
  readonly signal: AbortSignal | null;
  /**
   * Set where a stream is opened: what `next` gives is not its items, and
   * `timeoutMs` is for the beginning of the answer alone.
   */
  readonly isStream?: boolean;
  /** The number of the attempt, from 2 on; absent for the first. */
  readonly attempt?: number;
  /**
   * For values that interceptors leave for each other, by keys of `createKey`; the
   * same object for all attempts.
   */
  readonly context: object;
}

/** Goes on with a call; gives the response message, in the caller's form. */
export type ClientNext = (call: ClientCall) => Promise<unknown>;

/**
 * Stands around the calls of a client, as one layer of an onion. It is given
 * what is inside it anew for each call, so what it remembers from one call to
 * the next belongs around it.
 *
 * Example: `(next) => async (call) => { log(call.method.path); return
 * next(call); }`. It may answer itself, call `next` again, or throw.
 */
export type ClientInterceptor = (next: ClientNext) => ClientNext;
