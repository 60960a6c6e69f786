import type { ClientOptions } from "@ridlkit/runtime/client";

type Awaitable<Value> = Value | Promise<Value>;

/** Sees each request and each response, like middleware of openapi-fetch. */
export interface Middleware {
  onRequest?(params: {
    request: Request;
  }): Awaitable<Request | Response | undefined | void>;
  onResponse?(params: {
    request: Request;
    response: Response;
  }): Awaitable<Response | undefined | void>;
  onError?(params: {
    request: Request;
    error: unknown;
  }): Awaitable<Response | Error | undefined | void>;
}

/** A client whose requests and responses middleware can change. */
export interface HasMiddleware {
  use(...middleware: Middleware[]): void;
  eject(...middleware: Middleware[]): void;
}

type Options<Own extends ClientOptions> = Omit<Own, "fetch"> & {
  readonly fetch?: (request: Request) => Promise<Response>;
};

/**
 * Creates a client that calls middleware around its calls.
 *
 * Input: the function that creates the client, its options, and an old client
 * whose calls the new one can make, too.
 */
export function withMiddleware<
  Own extends ClientOptions,
  Client extends object,
  Old extends HasMiddleware,
>(
  create: (options: Own) => Client,
  options: Options<Own>,
  old?: Old,
): Client & Old & HasMiddleware {
  const all: Middleware[] = [];
  const send = options.fetch ?? ((request) => fetch(request));
  const own: unknown = {
    ...options,
    fetch: (url: string, init: RequestInit) =>
      run(all, new Request(url, init), send),
  };
  const client = create(own as Own);
  return {
    ...(old as Old),
    ...client,
    use(...middleware: Middleware[]) {
      old?.use(...middleware);
      all.push(...middleware);
    },
    eject(...middleware: Middleware[]) {
      old?.eject(...middleware);
      for (const each of middleware) {
        const index = all.indexOf(each);
        if (index !== -1) all.splice(index, 1);
      }
    },
  };
}

async function run(
  all: readonly Middleware[],
  first: Request,
  send: (request: Request) => Promise<Response>,
): Promise<Response> {
  const reversed = [...all].reverse();
  let request = first;
  for (const each of all) {
    const changed = await each.onRequest?.({ request });
    if (changed instanceof Response) return changed;
    request = changed ?? request;
  }
  let response = await sendOr(reversed, request, send);
  for (const each of reversed) {
    response = (await each.onResponse?.({ request, response })) ?? response;
  }
  return response;
}

async function sendOr(
  reversed: readonly Middleware[],
  request: Request,
  send: (request: Request) => Promise<Response>,
): Promise<Response> {
  try {
    return await send(request);
  } catch (cause) {
    let error: unknown = cause;
    for (const each of reversed) {
      const changed = await each.onError?.({ request, error });
      if (changed instanceof Response) return changed;
      error = changed ?? error;
    }
    throw error;
  }
}
