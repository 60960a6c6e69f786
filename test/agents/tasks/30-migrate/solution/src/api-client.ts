import {
  createShopHostClient,
  type ShopHostClient,
} from "../generated/client.js";

/** What a credential is, for functions that return its value. */
export interface Auth {
  readonly type: "apiKey" | "http";
  readonly in?: "cookie" | "header" | "query";
  readonly name?: string;
  readonly scheme?: "basic" | "bearer";
}

type Awaitable<Value> = Value | Promise<Value>;
type Token = string | undefined;

/** The settings of a client, in the form of hey-api. */
export interface ApiConfig extends Omit<
  RequestInit,
  "body" | "headers" | "method"
> {
  auth?: Token | ((auth: Auth) => Awaitable<Token>);
  /** The address of the server, with the path of the document's server. */
  baseUrl?: string;
  fetch?: typeof fetch;
  headers?: RequestInit["headers"] | Record<string, unknown>;
}

/** The interceptors of an old client that a new one changes, too. */
interface OldInterceptors {
  clear(): void;
  eject(each: never): void;
  use(each: never): unknown;
}

/** Functions that are called in the order in which they were added. */
export class Interceptors<Interceptor> {
  readonly all: (Interceptor | null)[] = [];
  readonly #old: OldInterceptors | undefined;

  constructor(old?: OldInterceptors) {
    this.#old = old;
  }

  /** Returns the number of the interceptor. */
  use(each: Interceptor): number {
    this.#old?.use(each as never);
    return this.all.push(each) - 1;
  }

  eject(each: number | Interceptor): void {
    this.#old?.eject(each as never);
    const index = typeof each === "number" ? each : this.all.indexOf(each);
    if (index in this.all) this.all[index] = null;
  }

  clear(): void {
    this.#old?.clear();
    this.all.length = 0;
  }
}

/**
 * Interceptors, as methods, so that those which were written for the types of
 * hey-api fit. Like there, an error of the connection has no response.
 */
interface Intercept {
  request(request: Request, config: ApiConfig): Awaitable<Request>;
  response(
    response: Response,
    request: Request,
    config: ApiConfig,
  ): Awaitable<Response>;
  error(
    error: unknown,
    response: Response,
    request: Request,
    config: ApiConfig,
  ): unknown;
}

type AllInterceptors = {
  readonly [Kind in keyof Intercept]: Interceptors<Intercept[Kind]>;
};

/** What a client has besides its methods. */
export interface Configurable {
  getConfig(): ApiConfig;
  setConfig(config: ApiConfig): ApiConfig;
  readonly interceptors: AllInterceptors;
}

/** A client of the API with the settings of hey-api. */
export type ApiClient = ShopHostClient & Configurable;

/** The part of an old client that a new one changes, too. */
interface OldClient {
  setConfig(config: never): unknown;
  readonly interceptors: Readonly<Record<keyof Intercept, OldInterceptors>>;
}

/** An error that interceptors replaced, or that is not from the server. */
export class ReplacedError extends Error {
  readonly error: unknown;
  readonly response: Response | undefined;

  constructor(error: unknown, response: Response | undefined) {
    super("the call failed");
    this.error = error;
    this.response = response;
  }
}

/**
 * Creates a client. If there is an old one whose calls are not migrated, it gets
 * the same settings and interceptors.
 */
export function createApiClient<Old extends OldClient = never>(
  first: ApiConfig = {},
  old?: Old,
): [Old] extends [never] ? ApiClient : ApiClient & Old {
  let config = merge({}, first);
  const interceptors: AllInterceptors = {
    request: new Interceptors(old?.interceptors.request),
    response: new Interceptors(old?.interceptors.response),
    error: new Interceptors(old?.interceptors.error),
  };
  const server = "http://server.invalid";
  const prefix = "/v2";
  const client = createShopHostClient({
    baseUrl: server,
    credentials: {
      token: () => tokenFor(config, { type: "http", scheme: "bearer" }),
    },
    headers: () => mergeHeaders(config.headers),
    fetch: (url, init) =>
      send(url.slice((server + prefix).length), init, config, interceptors),
  });
  const settings: Configurable = {
    getConfig: () => ({ ...config }),
    setConfig(next) {
      old?.setConfig(next as never);
      config = merge(config, next);
      return { ...config };
    },
    interceptors,
  };
  const all: unknown = { ...old, ...client, ...settings };
  return all as [Old] extends [never] ? ApiClient : ApiClient & Old;
}

function merge(before: ApiConfig, next: ApiConfig): ApiConfig {
  const merged = { ...before, ...next };
  return {
    ...merged,
    headers: mergeHeaders(before.headers, next.headers),
    baseUrl: (merged.baseUrl ?? "").replace(/\/$/u, ""),
  };
}

/**
 * Merges headers like hey-api: null removes a header, a list adds values, and an
 * object becomes JSON.
 */
function mergeHeaders(...all: ApiConfig["headers"][]): Headers {
  const merged = new Headers();
  for (const [name, value] of all.flatMap(listHeaders)) {
    if (value === null) merged.delete(name);
    else if (Array.isArray(value))
      for (const each of value) merged.append(name, String(each));
    else if (value !== undefined)
      merged.set(
        name,
        typeof value === "object" ? JSON.stringify(value) : String(value),
      );
  }
  return merged;
}

function listHeaders(headers: ApiConfig["headers"]): [string, unknown][] {
  return headers instanceof Headers || Array.isArray(headers)
    ? [...headers].map(([name = "", value = ""]) => [name, value])
    : Object.entries(headers ?? {});
}

/**
 * Returns the value of a credential, or "" if there is none. `word` is written
 * before it if the value is a whole header.
 */
export async function tokenFor(
  { auth: own }: ApiConfig,
  auth: Auth,
  word?: "Basic" | "Bearer",
): Promise<string> {
  const token = (typeof own === "function" ? await own(auth) : own) ?? "";
  if (token === "") return token;
  const value = auth.scheme === "basic" ? btoa(token) : token;
  return word === undefined ? value : `${word} ${value}`;
}

/** Sends a request with the interceptors around it. */
async function send(
  path: string,
  init: RequestInit,
  config: ApiConfig,
  interceptors: AllInterceptors,
): Promise<Response> {
  const {
    auth: _,
    baseUrl = "",
    fetch: own = fetch,
    headers: __,
    ...rest
  } = config;
  let request: Request | undefined;
  let response: Response | undefined;
  try {
    request = new Request(baseUrl + path, {
      redirect: "follow",
      ...rest,
      ...withoutRedirect(init),
      signal: either(rest.signal, init.signal),
    });
    for (const each of interceptors.request.all) {
      if (each !== null) request = await each(request, config);
    }
    response = await own(request);
    for (const each of interceptors.response.all) {
      if (each !== null) response = await each(response, request, config);
    }
    if (response.ok || interceptors.error.all.length === 0) return response;
  } catch (error) {
    const replaced = await replace(
      error,
      response,
      request,
      config,
      interceptors,
    );
    throw new ReplacedError(replaced, response);
  }
  const text = await response.clone().text();
  const error = parse(text);
  const replaced = await replace(
    error,
    response,
    request,
    config,
    interceptors,
  );
  if (replaced === error) return response;
  throw new ReplacedError(replaced, response);
}

/** The generated client follows no redirects, and hey-api does. */
function withoutRedirect({ redirect: _, ...init }: RequestInit): RequestInit {
  return init;
}

/** Returns a signal that aborts with either of two, or null for none. */
function either(
  one: RequestInit["signal"],
  other: RequestInit["signal"],
): AbortSignal | null {
  if (!one || !other) return one ?? other ?? null;
  // TypeScript 5.4 has no type for `AbortSignal.any`.
  const end = new AbortController();
  // The signal of a call also aborts at its end.
  const stop = (): void => {
    one.removeEventListener("abort", stop);
    other.removeEventListener("abort", stop);
    end.abort((one.aborted ? one : other).reason);
  };
  one.addEventListener("abort", stop);
  other.addEventListener("abort", stop);
  if (one.aborted || other.aborted) stop();
  return end.signal;
}

async function replace(
  first: unknown,
  response: Response | undefined,
  request: Request | undefined,
  config: ApiConfig,
  { error: { all } }: AllInterceptors,
): Promise<unknown> {
  let error = first;
  for (const each of all) {
    if (each === null) continue;
    const sent = request as Request;
    error = await each(error, response as Response, sent, config);
  }
  return error;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The client of calls that name no other. */
export const apiClient = createApiClient({
  baseUrl: "https://shop.example.com/v2",
});
