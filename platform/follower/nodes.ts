import type { PublicClient } from "viem";

import { openChainClient } from "../network/chain-client.js";
import type { Network } from "../network/networks.js";

/** A node of a followed chain. */
export interface FollowedNode {
  /** Its position among the network's RPC URLs, from 0. */
  readonly position: number;
  readonly client: PublicClient;
  /** Sends requests to the same node in batches. */
  readonly batchClient: PublicClient;
}

/** The number of requests per batch while catching up. */
const batchSize = 64;

/** Opens the nodes of a network. */
export function openNodes(network: Network): readonly FollowedNode[] {
  return network.nodes().map((client, position) => {
    const rpcUrls = network.rpcUrls.slice(position, position + 1);
    const batchClient = openChainClient({ ...network, rpcUrls }, { batchSize });
    return { position, client, batchClient };
  });
}
