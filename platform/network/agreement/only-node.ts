import type { PublicClient } from "viem";

import type { Network } from "../networks.js";

const opened = new WeakMap<PublicClient, Network>();

/**
 * Returns a network that only asks one of its nodes. It is always the same one, so
 * that what is remembered of a network is not what another node has reported.
 */
export function onlyNode(network: Network, node: PublicClient): Network {
  const known = opened.get(node);
  if (known !== undefined) return known;
  const only = { ...network, client: () => node, nodes: () => [node] };
  opened.set(node, only);
  return only;
}
