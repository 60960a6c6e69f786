import { toFetch } from "@ridlkit/runtime/fetch";
import {
  changeRequest,
  composeServers,
  type RpcServer,
} from "@ridlkit/runtime/server";

import type { Network, Networks } from "../network/networks.js";

/**
 * Creates a server that routes to one server per network, each with its own
 * limits. `/polygon/rpc/…` and `/137/rpc/…` lead to Polygon, and `/rpc/…` leads
 * to the default network. If there is no default network, the servers expect
 * the network in the path. Each server is created on its first request.
 */
export function servePerNetwork(
  networks: Networks,
  defaultNetwork: string | null,
  create: (network: Network) => RpcServer,
): RpcServer {
  const made = new Map<Network, RpcServer>();
  const find = (target: string): Found | null => {
    const [, name = "", path = ""] =
      /^\/([^/?#]+)(\/rpc\/.*)$/u.exec(target) ?? [];
    const handle = path === "" ? defaultNetwork : name;
    const network = handle === null ? null : networks.find(handle);
    if (network === null) return null;
    const server = made.get(network) ?? create(network);
    made.set(network, server);
    const isPathKept = path === "" || defaultNetwork === null;
    return { server, target: isPathKept ? target : path };
  };
  const unknown = composeServers();
  const handle: RpcServer["handle"] = (request) => {
    const found = find(request.target);
    return found === null
      ? unknown.handle(request)
      : found.server.handle(changeRequest(request, { target: found.target }));
  };
  return {
    fetch: toFetch(handle),
    handle,
    matches: (target) => {
      const found = find(target);
      return found !== null && found.server.matches(found.target);
    },
  };
}

interface Found {
  readonly server: RpcServer;
  /** The path in the form that the network's server expects. */
  readonly target: string;
}
