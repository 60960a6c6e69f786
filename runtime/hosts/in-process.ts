import type { Fetch } from "../client/call.js";
import type { RpcServer } from "../server/model/exchange.js";

/**
 * Connects a client directly to a server in the same process, for tests and
 * server-side rendering. Everything but the network works as usual.
 *
 * Example: `createApiClient({ baseUrl: "", fetch: inProcess(server) })`.
 */
export function inProcess(server: Pick<RpcServer, "fetch">): Fetch {
  return async (url, { signal, ...init }) => {
    signal?.throwIfAborted();
    // A request wants a whole address.
    const request = new Request(new URL(url, "http://localhost"), init);
    // Not as a part of `init`: what Node makes of it is lost as soon as nobody
    // holds the request, and a handler that waits for it would wait for ever.
    if (signal) Object.defineProperty(request, "signal", { value: signal });
    return server.fetch(request);
  };
}
