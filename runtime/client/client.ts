import type {
  Call,
  CallArguments,
  CallOptions,
  ClientOptions,
  Fetch,
  Result,
  Send,
  SenderOptions,
} from "./call.js";
import type { ClientMethod } from "./client-method.js";
import type { TransportError } from "./transport-error.js";
import { callsOf, settle } from "./settle.js";
import { call } from "./transport.js";

export { address, type Address } from "./address.js";
export type {
  Call,
  CallArguments,
  CallOptions,
  ClientCall,
  ClientInterceptor,
  ClientNext,
  ClientOptions,
  CredentialValue,
  Fetch,
  HeadersInput,
  HeadersSource,
  Result,
  Send,
  SenderOptions,
} from "./call.js";
export {
  get,
  rpc,
  webhook,
  type ClientMethod,
  type GetOptions,
  type MethodCredential,
  type MethodOptions,
} from "./client-method.js";
export { call } from "./transport.js";
export { TransportError, type TransportReason } from "./transport-error.js";

/** A client for a table of methods. Each method is a `Call`. */
export type Client<Methods> = {
  readonly [Name in keyof Methods]: Methods[Name] extends ClientMethod<
    infer Request,
    infer Response,
    infer Failure
  >
    ? Call<Request, Response, Failure>
    : never;
};

/** A sender for a table of outbound methods. Each method is a `Send`. */
export type Sender<Methods> = {
  readonly [Name in keyof Methods]: Methods[Name] extends ClientMethod<
    infer Request,
    unknown,
    infer Failure
  >
    ? Send<Request, Failure>
    : never;
};

type MethodTable = Readonly<Record<string, ClientMethod>>;

/**
 * Creates a client for a table of methods.
 *
 * Example: `createClient(options, { getOrders: marketplaceGetOrders })`.
 */
export function createClient<Methods extends MethodTable>(
  options: ClientOptions,
  methods: Methods,
): Client<Methods>;
/** Implements the signature above. */
export function createClient(
  options: ClientOptions,
  methods: MethodTable,
): unknown {
  const callOf =
    (method: ClientMethod) => (request?: unknown, own?: CallOptions) =>
      call(options, method, request, own);
  return callsOf(methods, callOf, settle);
}

/**
 * Creates a sender for the methods of an outbound service. Every 2xx response
 * is a success, regardless of its body.
 *
 * Example: `createSender(options, { notify: indexerWebhookNotify })`.
 */
export function createSender<Methods extends MethodTable>(
  options: SenderOptions,
  methods: Methods,
): Sender<Methods>;
/** Implements the signature above. */
export function createSender(
  options: SenderOptions,
  methods: MethodTable,
): unknown {
  const sendOf =
    (method: ClientMethod) =>
    (baseUrl: string, request: unknown, own?: CallOptions) => {
      const send = options.fetch ?? fetch;
      // Use the URL unchanged, including trailing slashes.
      const quiet = withoutBody((_, init) =>
        send(baseUrl, withEvent(init, method.event)),
      );
      const all = { ...options, baseUrl, fetch: quiet };
      return call(all, method, request, own);
    };
  return callsOf(methods, sendOf, settle);
}

function withEvent(init: RequestInit, event: string | undefined): RequestInit {
  if (event === undefined) return init;
  const headers = new Headers(init.headers);
  headers.set("webhook-event", event);
  return { ...init, headers };
}

/**
 * Returns a `fetch` that discards the body of a successful response, because
 * receivers may send anything, even an endless body.
 */
function withoutBody(fetch: Fetch): Fetch {
  return async (url, init) => {
    const response = await fetch(url, init);
    if (!response.ok) return response;
    response.body?.cancel().catch(() => {});
    return new Response(null, { status: 204 });
  };
}

/** Calls individual methods of one server. */
export interface Connection {
  /** Calls a method. Errors: see `Call`. */
  call<Request, Response, Failure>(
    method: ClientMethod<Request, Response, Failure>,
    ...args: CallArguments<Request>
  ): Promise<Response>;
  /** Calls a method and returns an RpcError instead of throwing it. */
  result<Request, Response, Failure>(
    method: ClientMethod<Request, Response, Failure>,
    ...args: CallArguments<Request>
  ): Promise<Result<Response, Failure | TransportError>>;
}

/**
 * Returns a connection that calls individual methods.
 *
 * Example: `connect(options).call(marketplaceGetOrders, { input: [] })`.
 */
export function connect(options: ClientOptions): Connection {
  return {
    call: (...args) => call(options, ...args),
    result: (...args) => settle(call(options, ...args)),
  };
}
