import { BaseError, type PublicClient } from "viem";

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

/**
 * The number of items that are read one by one if a node refuses batches. More
 * would take longer than other nodes are waited for.
 */
export const maxSingly = 8;

/**
 * Reads several items from a node, in batches if the node accepts them.
 *
 * Errors: any error from viem, also if a batch fails and has too many items to
 * read them one by one.
 */
export async function readInBatches<Item, Result>(
  { batchClient, client }: FollowedNode,
  items: readonly Item[],
  read: (client: PublicClient, item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  if (items.length > 1) {
    try {
      return await Promise.all(items.map((item) => read(batchClient, item)));
    } catch (error) {
      if (!(error instanceof BaseError) || items.length > maxSingly)
        throw error;
    }
  }
  const results: Result[] = [];
  for (const item of items) results.push(await read(client, item));
  return results;
}

/** Opens the nodes of a network. */
export function openNodes(network: Network): readonly FollowedNode[] {
  return network.nodes().map((client, position) => {
    const rpcUrls = network.rpcUrls.slice(position, position + 1);
    const batchClient = openChainClient({ ...network, rpcUrls }, { batchSize });
    return { position, client, batchClient };
  });
}
