import { fromEnvelope } from "../wire/bare-error.js";
import type {
  CallArguments,
  CallOptions,
  ClientCall,
  ClientNext,
  ClientOptions,
  CredentialValue,
  Result,
} from "./call.js";
import { withLimits } from "./call-limits.js";
import { same } from "../values/same.js";
import { parseObject, type ClientMethod } from "./client-method.js";
import { settle } from "./settle.js";
import { createTransportErrorAs, type CallError } from "./transport-error.js";

export { address, fillParameters, type Address } from "./address.js";
export { basicCredential, type BasicLogin } from "../wire/basic.js";
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
export type { ClientMethod } from "./client-method.js";
export {
  type CallError,
  TransportError,
  type TransportReason,
  type UnknownError,
} from "./transport-error.js";

/** Returns a value, or the result of calling it if it is a function. */
function current<T extends object | string | undefined, Answer>(
  source: T | (() => Answer),
): T | Answer;
function current<T extends object | string, By, Answer>(
  source: T | ((by: By) => Answer),
  by: By,
): T | Answer;
/** Implements the signatures above. */
function current(source: unknown, by?: unknown): unknown {
  return typeof source === "function" ? source(by) : source;
}

/**
 * Calls one method through the interceptors. Bundles include only that method.
 *
 * Example: `call(options, marketplaceGetOrders, { input: [] })`.
 * Errors: see `Call`.
 */
export function call<Request, Response, Failure>(
  options: ClientOptions,
  method: ClientMethod<Request, Response, Failure>,
  ...args: CallArguments<Request>
): Promise<Response>;
/**
 * Implements the signature above. Rejects even if interceptors throw
 * synchronously.
 */
export async function call(
  options: ClientOptions,
  method: ClientMethod,
  request: unknown = {},
  own: CallOptions = {},
): Promise<unknown> {
  return withLimits(
    [...(method.use ?? []), ...(options.use ?? [])].reduceRight<ClientNext>(
      (next, interceptor) => interceptor(next),
      send,
    ),
    {
      context: {},
      ...options,
      ...own,
      headers: [options.headers, own.headers],
      parameters: { ...options.parameters, ...own.parameters },
      request,
      method,
      signal: null,
    },
    [options.signal, own.signal],
  );
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
  ): Promise<Result<Response, CallError<Failure>>>;
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

/**
 * Returns an instance of a class.
 *
 * Errors: TypeError. That of the platform can contain a credential.
 */
function make<Made, First, Second>(
  Type: new (first: First, second?: Second) => Made,
  first: First,
  second?: Second,
): Made {
  try {
    return new Type(first, second);
  } catch {
    throw TypeError("bad-request");
  }
}

/** The innermost step: sends one request and reads its response. */
async function send(call: ClientCall): Promise<unknown> {
  const {
    parameters,
    signal,
    method: {
      encode = same,
      stringify = JSON.stringify,
      decode = same,
      path,
      verb = "POST",
      credentials = [],
      fill = same,
      parse = parseObject,
      error: readError = fromEnvelope,
      hidden,
    },
  } = call;
  let error, json, text, response;
  const message = encode(call.request);
  const body = stringify(message);
  const headers: Record<string, string> = body
    ? { "content-type": "application/json" }
    : {};
  for (const [option, header, prefix] of credentials) {
    const value = await current((call.credentials as Credentials)?.[option]);
    // Without a prefix, the list is an empty text.
    if (value) headers[header] = [prefix] + value;
  }
  for (const source of call.headers)
    for (const [name, value] of make(Headers, await current(source)))
      headers[name] = value;
  const url = current(call.baseUrl, parameters).replace(/\/*$/, () =>
    fill(path, parameters, message, headers),
  );
  // A followed redirect would send credentials and the body elsewhere.
  const redirect = "manual";
  const init: RequestInit = { body, signal, method: verb, redirect, headers };
  try {
    // Some `fetch` functions ignore signals that aborted before the call.
    if (signal?.aborted) throw signal;
    response = await (call.fetch ?? fetch)(url, init);
    text = await response.text();
  } catch (cause) {
    // `Request` throws again if the caller's URL or headers are invalid.
    make(Request, url, init);
    throw createTransportErrorAs("network", { cause });
  }
  try {
    if (response.ok) return decode(parse(text));
    // Errors of some contracts can have any body.
    try {
      json = JSON.parse(text);
    } catch {}
    error = readError(json, response.status, text, response.headers);
  } catch {
    // The response body is neither a valid response nor an error.
  }
  throw (
    error ??
    createTransportErrorAs(
      "bad-response",
      { cause: hidden ?? text.slice(0, 500) },
      "WebrpcBadResponse",
      -5,
      response.status,
    )
  );
}

/** The generated client options define which credentials exist. */
type Credentials =
  Readonly<Record<string, CredentialValue | undefined>> | undefined;
