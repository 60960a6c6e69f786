import type { Fetch } from "./client/call.js";
import type { RpcServer } from "./server/exchange.js";

/**
 * The way from a client straight to a server in the same process, for tests and
 * for rendering on the server. Everything but the network is as it would be.
 *
 * Example: `createApiClient({ baseUrl: "", fetch: inProcess(server) })`.
 */
export function inProcess(server: Pick<RpcServer, "fetch">): Fetch {
  return async (url, init) =>
    // A request wants a whole address.
    server.fetch(new Request(new URL(url, "http://localhost"), init));
}
