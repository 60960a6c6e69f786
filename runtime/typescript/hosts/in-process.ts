import type { Call, CallOptions, Fetch } from "../client/call.js";
import { settle } from "../client/settle.js";
import { localCaller, type RpcServer } from "../server/model/exchange.js";

/**
 * Connects a client directly to a server in the same process, for tests and
 * server-side rendering. Everything except the network works as usual.
 *
 * Example: `createApiClient({ baseUrl: "", fetch: inProcess(server) })`.
 */
export function inProcess(server: Pick<RpcServer, "fetch">): Fetch {
  return async (url, { signal, ...init }) => {
    signal?.throwIfAborted();
    // `Request` requires an absolute URL.
    const request = new Request(new URL(url, "http://localhost"), init);
    // Do not pass the signal in `init`. Node's copy is lost once the request is
    // garbage collected, and a handler that waits for it would wait forever.
    if (signal) Object.defineProperty(request, "signal", { value: signal });
    return server.fetch(request, localCaller);
  };
}

/**
 * Returns a method of a client that calls a function instead of a server, for tests.
 *
 * Example: `const shop: ShopClient = { pay: stubCall(() => ({ id: 7 })) }`.
 */
export function stubCall<Request, Response, Failure>(
  answer: (
    request: Request,
    options?: CallOptions,
  ) => Response | Promise<Response>,
): Call<Request, Response, Failure>;
/** Implements the signature above. */
export function stubCall<Response>(
  answer: (
    request?: unknown,
    options?: CallOptions,
  ) => Response | Promise<Response>,
): unknown {
  const call = async (
    request?: unknown,
    options?: CallOptions,
  ): Promise<Response> => answer(request ?? {}, options);
  const result = (request?: unknown, options?: CallOptions) =>
    settle(call(request, options));
  return Object.assign(call, { result });
}
