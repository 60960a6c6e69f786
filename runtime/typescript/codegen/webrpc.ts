import type {
  CallOptions,
  ClientOptions,
  HeadersInput,
} from "../client/call.js";
import type { ClientMethod, FillPath } from "../client/client-method.js";
import { call as callMethod } from "../client/client.js";
import { toCallError, type WebrpcErrorClasses } from "./webrpc-errors.js";
import type {
  WebrpcStreamController,
  WebrpcStreamOptions,
} from "./webrpc-stream.js";

export {
  builtInErrorByCode,
  builtInErrorCodes,
  codesOf,
  namesOf,
  WebrpcBadMethodError,
  WebrpcBadRequestError,
  WebrpcBadResponseError,
  WebrpcBadRouteError,
  WebrpcClientAbortedError,
  // The name that older versions of webrpc-gen use in generated clients.
  WebrpcClientAbortedError as WebrpcClientDisconnectedError,
  WebrpcEndpointError,
  WebrpcError,
  WebrpcInternalErrorError,
  WebrpcRequestFailedError,
  WebrpcServerPanicError,
  WebrpcStreamFinishedError,
  WebrpcStreamLostError,
  type WebrpcErrorClass,
  type WebrpcErrorClasses,
  type WebrpcErrorParams,
} from "./webrpc-errors.js";
export type {
  WebrpcOptions,
  WebrpcStreamController,
  WebrpcStreamOptions,
} from "./webrpc-stream.js";

/** Sends requests, like the global `fetch`. */
export type Fetch = (
  input: Request | string,
  init?: RequestInit,
) => Promise<Response>;

/** Version of the schema language. */
export const WebrpcVersion = "v1";

/** Name of the header that identifies the generator and the schema. */
export const WebrpcHeader = "Webrpc";

/** A method of a service. */
export interface WebrpcMethod {
  readonly call: ClientMethod;
  /** Whether the first argument is a request. */
  readonly hasRequest: boolean;
  /** Sends requests with files. */
  readonly send?: SendCall;
  /** Follows a stream. */
  readonly follow?: FollowStream;
  /**
   * Name of the method in cache keys. Default: its key in the table of methods.
   */
  readonly key?: string;
}

/** Sends one call. */
export type SendCall = (
  options: ClientOptions,
  method: WebrpcMethod["call"],
  request: unknown,
  call: CallOptions,
) => Promise<unknown>;

/** The type of {@link followStream}. Only streams need that function. */
export type FollowStream = (
  options: ClientOptions,
  method: WebrpcMethod["call"],
  request: unknown,
  stream: WebrpcStreamOptions<unknown>,
  errorByCode: WebrpcErrorClasses,
) => WebrpcStreamController;

/** Describes a service. */
export interface WebrpcServiceParts {
  readonly name: string;
  /** Prefix of its methods' paths, e.g. `/rpc/Example/`. */
  readonly path: string;
  /** Value of the header that identifies the generator and the schema. */
  readonly header: string;
  readonly errorByCode: WebrpcErrorClasses;
  readonly methods: Readonly<Record<string, WebrpcMethod>>;
}

/** Options that webrpc's clients do not have. */
export type WebrpcServiceOptions = Omit<ClientOptions, "baseUrl" | "fetch">;

/**
 * The part of a client that does not depend on its methods. Subclasses can
 * replace `fetch`, `hostname`, and `path` at any time.
 */
export class WebrpcService<Keys> {
  protected hostname: string;
  protected fetch: Fetch;
  protected path: string;
  /**
   * Creates cache keys, e.g. for React Query, from the service, method, and
   * request.
   */
  readonly queryKey: Keys;

  constructor(hostname: string, fetch: Fetch, path: string, queryKey: Keys) {
    this.hostname = hostname.replace(/\/*$/, "");
    // Use a wrapper, because browsers do not allow `fetch` to be called as a
    // method.
    this.fetch = (input, init) => fetch(input, init);
    this.path = path;
    this.queryKey = queryKey;
  }
}

/**
 * The class of a service, used as `new Example("https://example.com", fetch)`.
 */
export type WebrpcServiceClass<Methods, Keys> = new (
  hostname: string,
  fetch: Fetch,
  options?: WebrpcServiceOptions,
) => WebrpcService<Keys> & Methods;

/**
 * Creates the class of a service.
 *
 * Errors: methods throw instances of the classes in `errorByCode`, WebrpcError
 * for any other code, and TypeError if an address parameter is missing.
 */
export function webrpcService<Methods, Keys>(
  parts: WebrpcServiceParts,
): WebrpcServiceClass<Methods, Keys>;
/** Implements the signature above. */
export function webrpcService(
  parts: WebrpcServiceParts,
): WebrpcServiceClass<unknown, unknown> {
  return class Service extends WebrpcService<unknown> {
    constructor(
      hostname: string,
      fetch: Fetch,
      options: WebrpcServiceOptions = {},
    ) {
      super(hostname, fetch, parts.path, keysOf(parts));
      for (const [name, method] of Object.entries(parts.methods)) {
        Object.assign(this, { [name]: this.$call(options, method) });
      }
    }

    /**
     * The `$` avoids conflicts, because no schema method can have it in its
     * name.
     */
    $call(
      options: WebrpcServiceOptions,
      { call, follow, hasRequest, send = callMethod }: WebrpcMethod,
    ): unknown {
      // Read `hostname` and `fetch` again for each call, because subclasses can
      // replace them.
      const all = (): ClientOptions => ({
        ...options,
        baseUrl: this.hostname,
        fetch: (url, init) => this.fetch(url, init),
      });
      const method = () => movePath(call, parts.path, this.path);
      return follow === undefined
        ? withRequest(hasRequest, (request, ...rest: CallRest) =>
            callOnce(parts, all(), method(), request, rest, send),
          )
        : withRequest(hasRequest, (request, ...rest: StreamRest) =>
            followItems(parts, all(), method(), request, rest, follow),
          );
    }
  };
}

/** Returns a function that takes a request only if the method has one. */
function withRequest<Rest extends readonly unknown[]>(
  hasRequest: boolean,
  call: (request: unknown, ...rest: Rest) => unknown,
): unknown {
  return hasRequest ? call : (...rest: Rest) => call({}, ...rest);
}

/** The arguments of a call after the request. */
type CallRest = readonly [headers?: object, signal?: AbortSignal];

/** The arguments of a stream after the request. */
type StreamRest = readonly [stream: WebrpcStreamOptions<unknown>];

async function callOnce(
  { header, errorByCode }: WebrpcServiceParts,
  options: ClientOptions,
  method: WebrpcMethod["call"],
  request: unknown,
  [headers, signal]: CallRest,
  send: SendCall,
): Promise<unknown> {
  const callOptions = {
    headers: headersOf(headers, header),
    ...(signal && { signal }),
  };
  try {
    return await send(options, method, request, callOptions);
  } catch (error) {
    throw toCallError(error, errorByCode);
  }
}

function followItems(
  { header, errorByCode }: WebrpcServiceParts,
  options: ClientOptions,
  method: WebrpcMethod["call"],
  request: unknown,
  [stream]: StreamRest,
  followStream: FollowStream,
): WebrpcStreamController {
  const headers = headersOf(stream.headers, header);
  const all = { ...stream, headers };
  return followStream(options, method, request, all, errorByCode);
}

function keysOf({ name, methods }: WebrpcServiceParts): object {
  const keys = Object.entries(methods).map(([method, { key = method }]) => {
    // The key of a method without a request has only two elements.
    const toKey = (...request: readonly unknown[]) => [name, key, ...request];
    return [method, toKey];
  });
  return Object.fromEntries(keys);
}

/**
 * Returns a method whose path begins with `to` instead of `from`. A path that
 * does not begin with `from` stays unchanged.
 */
function movePath(
  method: WebrpcMethod["call"],
  from: string,
  to: string,
): WebrpcMethod["call"] {
  if (from === to) return method;
  const fill: FillPath = (path, ...rest) => {
    const moved = path.startsWith(from) ? to + path.slice(from.length) : path;
    return method.fill ? method.fill(moved, ...rest) : moved;
  };
  return { ...method, fill };
}

/**
 * Returns the headers to send. Accepts the same forms as `fetch`, and omits
 * undefined values.
 */
function headersOf(headers: object = {}, header: string): HeadersInput {
  const isIterable = Symbol.iterator in headers;
  const given = isIterable
    ? (headers as HeadersInput)
    : Object.entries(headers).filter(([, value]) => value !== undefined);
  const all = new Headers(given);
  all.set(WebrpcHeader, header);
  return all;
}

/** The versions of the peer's generator and schema. */
export interface WebrpcGenVersions {
  WebrpcGenVersion: string;
  codeGenName: string;
  codeGenVersion: string;
  schemaName: string;
  schemaVersion: string;
}

/**
 * Reads the header that identifies the generator and the schema. Missing parts
 * are empty strings.
 */
export function VersionFromHeader(headers: Headers): WebrpcGenVersions {
  const parts = (headers.get(WebrpcHeader) ?? "").split(";");
  const words = parts.length < 3 ? [] : parts.map((part) => part.split("@"));
  const [generator = [], target = [], schema = []] = words;
  return {
    WebrpcGenVersion: generator[1] ?? "",
    codeGenName: target[0] ?? "",
    codeGenVersion: target[1] ?? "",
    schemaName: schema[0] ?? "",
    schemaVersion: schema[1] ?? "",
  };
}
