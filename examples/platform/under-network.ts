import { toFetch } from "@ridlkit/runtime/fetch";
import type { RpcServer, ServerRequest } from "@ridlkit/runtime/server";

import { findChainId } from "./networks.js";

/**
 * Returns a server that is also reachable under the name of its network, such
 * as `/hardhat/rpc/…`, so that one port can serve the hosts of all networks.
 */
export function underNetwork(server: RpcServer, chainId: number): RpcServer {
  const within = (target: string): string => {
    const [, network = "", rest = ""] =
      /^\/([^/?#]+)(\/rpc\/.*)$/u.exec(target) ?? [];
    return findChainId(network) === chainId ? rest : target;
  };
  const handle = (request: ServerRequest): ReturnType<RpcServer["handle"]> =>
    server.handle({
      method: request.method,
      target: within(request.target),
      address: request.address ?? null,
      header: (name) => request.header(name),
      text: (limits) => request.text(limits),
      chunks: (limits) => request.chunks(limits),
      signal: () => request.signal(),
    });
  return {
    fetch: toFetch(handle),
    handle,
    matches: (target) => server.matches(within(target)),
  };
}
