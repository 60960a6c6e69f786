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
   * Milliseconds from sending a request to the end of its answer; no limit unless
   * given. `Infinity` at a call lifts the limit of the client.
   */
  readonly timeoutMs?: number;
  /** Aborts every call. */
  readonly signal?: AbortSignal;
}

/** What holds for every call of a client. */
export interface ClientOptions extends SenderOptions {
  /**
   * Where the server is, e.g. `https://api.example.com`; may have placeholders:
   * `https://{network}-indexer.example.com`. Slashes at its end do not matter.
   */
  readonly baseUrl: string;
  /** Values for the placeholders of addresses. */
  readonly parameters?: Readonly<Record<string, string>>;
}

/** What holds for one call; wins over what holds for the client. */
export interface CallOptions {
  readonly headers?: HeadersSource;
  /** Aborts this call; that of the client still does, too. */
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  readonly parameters?: Readonly<Record<string, string>>;
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
 * address is missing.
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
