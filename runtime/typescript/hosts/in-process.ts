import type { Fetch } from "../client/call.js";
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
